"""Ask both kinds of what-if of a catalog without its edge: python -m tests.bench.ask_what_if KIND.

The workers are rung for as the page does. It prints the id of what was asked.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from uuid import uuid4

import django

import oipsce_site.celery  # noqa: F401 - the app that sends

django.setup()

from catalogs.actions.drafts import Beginning, start_draft  # noqa: E402
from oipsce_site.people.roles import Role  # noqa: E402
from review.actions.what_ifs import WhatIfWish, order_what_if  # noqa: E402
from review.tasks import ring_for_what_ifs  # noqa: E402
from tests.bench.twelve_phases import twelve_phases  # noqa: E402
from tests.factories import make_person, make_site  # noqa: E402

#: The same catalog with one word of the representative's taken for a finish no more.
_CHANGE = ("version: 2.0.0", "version: 3.0.0"), ("payer_match", "payer_says_so")


def main(kind: str) -> None:
    """Leave one what-if over all calls to the workers."""
    by, draft_id, what_if_id = make_person(Role.CATALOG_AUTHOR), uuid4(), uuid4()
    source = twelve_phases(*_CHANGE)
    now = datetime.now(UTC)
    start_draft(
        draft_id=draft_id,
        catalog_id=uuid4(),
        beginning=Beginning("A draft", source),
        by=by,
        at=now,
    )
    wish = WhatIfWish(kind, make_site(), "benefits-verification", None, None, draft_id=draft_id)
    order_what_if(what_if_id=what_if_id, wish=wish, by=by, at=datetime.now(UTC))
    for _core in range(2):
        ring_for_what_ifs()
    sys.stdout.write(str(what_if_id))


if __name__ == "__main__":
    main(sys.argv[1])

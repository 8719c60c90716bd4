"""Ask how all calls would be read without any critical edge: python -m tests.faults.ask_what_if."""

from __future__ import annotations

from uuid import uuid4

import django

django.setup()

from catalogs.actions.drafts import Beginning, start_draft  # noqa: E402
from oipsce_site.people.models import Site  # noqa: E402
from oipsce_site.people.roles import Role  # noqa: E402
from review.actions.what_ifs import WhatIfWish, order_what_if  # noqa: E402
from tests.factories import NOON, catalog_source, make_person  # noqa: E402


def main() -> None:
    """Leave the what-if to the workers."""
    by, draft_id = make_person(Role.CATALOG_AUTHOR), uuid4()
    edges = [
        line
        for line in catalog_source("micro").decode().splitlines()
        if line.startswith("    critical_parents")
    ]
    source = catalog_source(
        "micro", ("version: 2.0.0", "version: 3.0.0"), *((line, "    ") for line in edges)
    )
    start_draft(
        draft_id=draft_id,
        catalog_id=uuid4(),
        beginning=Beginning("Without edges", source),
        by=by,
        at=NOON,
    )
    wish = WhatIfWish(
        "READ", Site.objects.get(), "member-benefits-micro", None, None, draft_id=draft_id
    )
    order_what_if(what_if_id=uuid4(), wish=wish, by=by, at=NOON)


if __name__ == "__main__":
    main()

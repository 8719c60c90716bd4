"""Sign every call that waits for review, as a reviewer would: python -m tests.bench.sign_all."""

from __future__ import annotations

import django

django.setup()

from oipsce_site.people.roles import Role  # noqa: E402
from review.models import Call, State  # noqa: E402
from tests.factories import make_person  # noqa: E402
from tests.signed import sign_stored  # noqa: E402


def main() -> None:
    """Leave a signature on each call."""
    by = make_person(Role.SENIOR_REVIEWER)
    waiting = Call.objects.filter(state=State.AWAITING_REVIEW).values_list("pk", flat=True)
    for call_id in list(waiting):
        sign_stored(call_id, by)


if __name__ == "__main__":
    main()

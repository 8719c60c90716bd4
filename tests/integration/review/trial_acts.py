"""The actions on trials with the entries that each leaves, for the table of all actions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from catalogs.actions.trials import change_trial, end_trial, let_decide
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from tests.factories import NOON, catalog_source, make_person, publish
from tests.trials import IN_SHADOW, canary, loose, publish_on_trial

Act = Callable[[], object]


def _acting(act: Callable[..., None], **more: object) -> Act:
    publish(catalog_source("micro"))
    version_id = publish_on_trial(loose(), IN_SHADOW)
    by: User = make_person(Role.CATALOG_APPROVER)
    return lambda: act(version_id=version_id, by=by, at=NOON, **more)


TRIALS: dict[str, tuple[str, Callable[[], Act]]] = {
    "change_trial": ("trial.begin", lambda: _acting(change_trial, trial=canary(10))),
    "let_decide": ("trial.decide", lambda: _acting(let_decide, first_day=date(2026, 3, 1))),
    "end_trial": ("trial.end", lambda: _acting(end_trial)),
}

PARTS_OF_TRIALS = {
    "begin_trial": "change_trial",
    "record_begin": "change_trial",
    "end_predecessor": "publish_version",
    "check_can_try": "publish_version",
    "check_over_base": "let_decide",
    "lock_base": "publish_version",
    "deciding_beside": "publish_version",
    # What a shadow says decides nothing; its counts are in the entry of who lets it decide.
    "queue_shadows": "store_prefills",
    "claim_shadows": "store_prefills",
    "compare_shadows": "store_prefills",
    "store_shadows": "store_prefills",
    "fail_shadow": "store_prefills",
    "read_calls_again": "store_compared",
    "columns_of_compared": "store_compared",
}

"""A version on trial: tried otherwise, let to decide, or taken back; it begins with publishing.

The document of a version never changes; what happens to it stands beside it (docs/adr/0043).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from types import MappingProxyType
from uuid import UUID

from django.db import transaction
from django.utils.timezone import localdate

from catalogs.actions.gates import check_can_try, check_days, check_second_person
from catalogs.actions.overlay_gates import check_over_base
from catalogs.actions.trial_rows import begin_trial, end_predecessor, record_begin
from catalogs.actions.version_rows import (
    UnableToMove,
    load_for_update,
    lock_base,
    record_step,
    store_fields,
)
from catalogs.core.document.trials import Trial, TrialMode
from catalogs.models import CatalogVersion, TrialEnd, VersionState, VersionTrial
from catalogs.permissions import check_can_approve
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.people.models import User


class TrialMoved(UnableToMove):
    """Somebody else changed or ended the trial since it was looked at."""


_NO_FIGURES: Mapping[str, Value] = MappingProxyType({})


def change_trial(
    *, version_id: UUID, trial: Trial, by: User, at: datetime, expected_trials: int | None = None
) -> None:
    """Try a version on trial otherwise: for another share of calls, or out of the shadow.

    `expected_trials` is how many trials of it were seen, in this and the other steps. Raises
    NotAllowed, TrialMoved where there are more, or UnableToMove for an author, a version that is
    not on trial, or a trial that cannot be begun like that.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version, running = _load_tried(version_id, expected_trials)
        check_second_person(version, by)
        if (running.mode, running.share, running.first_day) == (
            trial.mode.value,
            trial.share,
            trial.first_day,
        ):
            raise UnableToMove("It is tried like that already.")
        check_can_try(version, trial)
        if trial.mode is TrialMode.CANARY:
            lock_base(version)
            check_over_base(version, trial.first_day, localdate(at))
        _end(running, TrialEnd.CHANGED, by, at)
        begin_trial(version, trial, by, at)
        record_begin(version, trial, person(by, role), at)


def let_decide(
    *,
    version_id: UUID,
    first_day: date,
    by: User,
    at: datetime,
    figures: Mapping[str, Value] = _NO_FIGURES,
    expected_trials: int | None = None,
) -> None:
    """Let a version on trial judge every call from a day on; the open version before it ends the
    day before. `figures` are what the trial came to, for the log.

    Raises NotAllowed, TrialMoved, or UnableToMove for an author, a version that is not on trial, or
    a day on which it is not in force or another one would decide as well; of an overlay also where
    its base, its sites or a waiver no longer stand as they did when it was published.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version, running = _load_tried(version_id, expected_trials)
        check_second_person(version, by)
        _check_first_day(version, first_day)
        lock_base(version)
        check_over_base(version, first_day, localdate(at))
        version.effective_from = first_day
        check_days(version)
        store_fields(version, "effective_from")
        ended = end_predecessor(version)
        running.decides_from = first_day
        _end(running, TrialEnd.DECIDES, by, at)
        facts: dict[str, Value] = {
            "digest": version.digest,
            "effective_from": first_day.isoformat(),
            "superseded": [str(ended)] if ended else [],
            "figures": dict(figures),
        }
        record_step(version, "trial.decide", person(by, role), at, facts)


def end_trial(
    *,
    version_id: UUID,
    by: User,
    at: datetime,
    figures: Mapping[str, Value] = _NO_FIGURES,
    expected_trials: int | None = None,
) -> None:
    """End the trial of a version: it is retired and judges no further call.

    Calls that it has judged keep their verdicts. Raises NotAllowed, TrialMoved or UnableToMove.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version, running = _load_tried(version_id, expected_trials)
        version.state = VersionState.RETIRED
        version.effective_to = version.effective_to or max(localdate(at), version.effective_from)
        version.retired_by, version.retired_at = by, at
        store_fields(version, "state", "effective_to", "retired_by", "retired_at")
        _end(running, TrialEnd.RETIRED, by, at)
        facts: dict[str, Value] = {
            "digest": version.digest,
            "effective_to": version.effective_to.isoformat(),
            "figures": dict(figures),
        }
        record_step(version, "trial.end", person(by, role), at, facts)


def _load_tried(version_id: UUID, expected: int | None) -> tuple[CatalogVersion, VersionTrial]:
    version = load_for_update(version_id)
    if expected not in (None, version.trials.count()):
        raise TrialMoved(
            "The trial was changed since you opened the page. See how it is tried now, then decide."
        )
    running = VersionTrial.objects.select_for_update().filter(version=version, ended_at=None)
    found = running.first()
    if found is None:
        raise UnableToMove("The version is not on trial by now. Load the page again.")
    return version, found


def _check_first_day(version: CatalogVersion, first_day: date) -> None:
    if first_day < version.effective_from:
        raise UnableToMove(
            f"The version is in force from {version.effective_from.isoformat()}; it cannot decide "
            "before."
        )
    if version.effective_to is not None and first_day > version.effective_to:
        raise UnableToMove(
            f"The version is in force to {version.effective_to.isoformat()}; choose a day up to "
            "then."
        )


def _end(running: VersionTrial, end: TrialEnd, by: User, at: datetime) -> None:
    running.end, running.ended_by, running.ended_at = end, by, at
    running.save(update_fields=["end", "ended_by", "ended_at", "decides_from"])

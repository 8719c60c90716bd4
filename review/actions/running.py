"""Running calls: opened and told part by part; each part is judged as it comes.

The rows are the truth: the head and every part as it came, sealed under the call's own key. What a
process has heard of a call it keeps (`kept_calls`), so that a part costs the same at any length.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db import transaction

from catalogs.core.findings import Finding, error
from catalogs.queries import published_versions
from oipsce_site.ledger.actors import program
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import Actor
from oipsce_site.people.models import ApiClient
from oipsce_site.rows import change_row, insert_instances, insert_rows
from oipsce_site.sealing import new_data_key
from review.actions.alerting import Told as ToldOf
from review.actions.alerting import raise_alerts
from review.actions.kept_calls import keep, take_kept
from review.actions.running_rows import (
    UnableToHear,
    lock_running,
    read_object,
    record_running,
    sealer_of_running,
)
from review.core.evaluation import Report
from review.core.evaluation.running import RunningCall as Heard
from review.core.transcript import RefusedInput, call_digest
from review.core.transcript.neutral.growing import GrowingCall
from review.models import Call, LiveCode, RunningCall, RunningPart
from review.permissions import check_takes_calls
from review.queries.api_calls import RunningStanding
from review.queries.cascades import cascade_of
from review.queries.draws import draw_of
from review.queries.role_maps import confirmed_roles

_ENDED = "The call has ended; ask for the call of this id."
_LONGEST_SOURCE = 100
_LONGEST_KEY = 500


@dataclass(frozen=True, slots=True)
class Told:
    """A running call after what was told: its row, the report on it, what is to say, and how many
    alerts were raised.
    """

    row: RunningCall
    report: Report | None
    findings: tuple[Finding, ...] = ()
    is_new: bool = False
    alerts: int = 0

    @property
    def standing(self) -> RunningStanding:
        """The call as it may be shown."""
        row, ended = self.row, self.row.ended_at is not None
        return RunningStanding(
            id=row.pk,
            external_id=row.external_id,
            has_ended=ended,
            turns=row.turn_count,
            last_turn=row.last_turn,
            unjudged=_ENDED if ended else row.unmapped,
            report=self.report,
        )


def open_running_call(*, call_id: UUID, head: str, by: ApiClient, at: datetime) -> Told:
    """Open a call that is about to run. `head` is JSON text: the file's, as far as it is known.

    The same head again answers for the call that is there. Raises NotAllowed for a retired site,
    RefusedInput, or UnableToHear for a key that another call has.
    """
    check_takes_calls(by.site)
    said = read_object(head)
    heard, row = _begin(call_id, said, by, at)
    findings = (*heard.growing.findings, *_add(heard, said))
    row.sealed_head = sealer_of_running(row).seal("head:0", head)
    with transaction.atomic():
        if not insert_instances([row], ending="ON CONFLICT DO NOTHING RETURNING id"):
            return _opened_before(row)
        stored = Call.objects.filter(site=by.site, source=row.source, external_id=row.external_id)
        if stored.exists():
            raise UnableToHear(_TAKEN.format(row.external_id))
        told = _store(row, heard, program(by), "running.open", at)
    return replace(told, findings=findings, is_new=True)


def append_to_running_call(*, call_id: UUID, part: str, by: ApiClient, at: datetime) -> Told:
    """Tell more turns and events of a call, and judge it. `part` is JSON text.

    ``after`` in it names the turn that the part follows; where another one is the last, nothing is
    taken. Raises NoRunningCall, RefusedInput, UnableToHear.
    """
    said = read_object(part)
    if not (said.get("turns") or said.get("events")):
        sentence = "Nothing is told: send turns or events."
        raise RefusedInput(error("nothing_told", "the request", sentence))
    # A savepoint would be two more ways to the database: what fails here fails its caller too.
    with transaction.atomic(savepoint=False):
        row = lock_running(call_id, by)
        _check_follows(row, said)
        heard = _heard(row)
        try:
            findings = _add(heard, said)
        except RefusedInput:
            # Nothing of it was heard.
            keep(row.pk, heard)
            raise
        row.parts += 1
        sealed = sealer_of_running(row).seal(f"part:{row.parts}", part)
        insert_rows(
            RunningPart._meta.db_table,
            [{"running_id": row.pk, "number": row.parts, "sealed": sealed}],
        )
        told = _store(row, heard, program(by), "running.append", at)
    return replace(told, findings=findings)


def look_at_running_call(*, call_id: UUID, client: ApiClient) -> Told:
    """Return a running call as it stands. Raises NoRunningCall."""
    with transaction.atomic():
        row = lock_running(call_id, client)
        return Told(row, None) if row.ended_at is not None else _look(row)


def _begin(
    call_id: UUID, said: Mapping[str, object], by: ApiClient, at: datetime
) -> tuple[Heard, RunningCall]:
    growing = GrowingCall(said, where="the call")
    about = growing.about
    choice = published_versions().choose(
        about.attributes, about.date, site=by.site.slug, draw=draw_of(call_id)
    )
    row = RunningCall(
        id=call_id,
        site=by.site,
        client=by,
        source=_short(about.source.format, _LONGEST_SOURCE, "source's name"),
        external_id=_short(about.source.external_id, _LONGEST_KEY, "call's id"),
        head_digest=call_digest(said),
        catalog_version=choice.version,
        unmapped=choice.sentence or "",
        wrapped_key=new_data_key(),
        opened_at=at,
        heard_at=at,
    )
    return _listen(row, growing), row


def _listen(row: RunningCall, growing: GrowingCall) -> Heard:
    version = row.catalog_version
    if version is None:
        return Heard(growing, None, {})
    confirmed = confirmed_roles(row.site_id, row.source, version.pk)
    return Heard(growing, cascade_of(version.digest), confirmed)


def _opened_before(wanted: RunningCall) -> Told:
    """Answer for a key that runs already. Raises UnableToHear where it is another call's."""
    row = (
        RunningCall.objects.select_for_update(of=("self",))
        .select_related("catalog_version", "site")
        .get(site=wanted.site, source=wanted.source, external_id=wanted.external_id)
    )
    if row.head_digest != wanted.head_digest or row.ended_at is not None:
        raise UnableToHear(_TAKEN.format(row.external_id))
    return _look(row)


_TAKEN = (
    "There is a call {0!r} of this source already, running or ended. Give this one an id of its "
    "own."
)


def _look(row: RunningCall) -> Told:
    heard = _heard(row)
    report = heard.judge()
    keep(row.pk, heard)
    return Told(row, report)


def _check_follows(row: RunningCall, said: Mapping[str, object]) -> None:
    if row.ended_at is not None:
        raise UnableToHear("The call has ended; nothing more is told of it.")
    if "after" in said and said["after"] != row.last_turn:
        last = "It has no turn yet." if row.last_turn is None else f"Its last is {row.last_turn}."
        raise UnableToHear(
            f"The part does not follow the call's last turn. {last} Send what comes after it.",
            last_turn=row.last_turn,
        )


def _heard(row: RunningCall) -> Heard:
    """Return the call as far as the database has it; read here is what this process had not."""
    heard = take_kept(row.pk)
    sealer = sealer_of_running(row)
    if heard is None or heard.parts > row.parts + 1:
        head = read_object(sealer.open("head:0", row.sealed_head))
        heard = _listen(row, GrowingCall(head, where="the call"))
        _add(heard, head)
    # The head counts as the first part of what was heard.
    if heard.parts == row.parts + 1:
        return heard
    missing = row.told.filter(number__gte=heard.parts).order_by("number")
    for number, sealed in missing.values_list("number", "sealed"):
        _add(heard, read_object(sealer.open(f"part:{number}", sealed)))
    return heard


def _add(heard: Heard, said: Mapping[str, object]) -> tuple[Finding, ...]:
    return heard.add({key: said[key] for key in ("turns", "events") if key in said})


def _store(row: RunningCall, heard: Heard, by: Actor, kind: str, at: datetime) -> Told:
    report = heard.judge()
    row.turn_count = len(heard.growing.turns)
    row.last_turn = heard.growing.last_turn
    row.live = "" if report is None else LiveCode(report.live.upper())
    row.heard_at = at
    change_row(row, ("turn_count", "last_turn", "live", "heard_at", "parts"))
    facts: dict[str, Value] = {
        "parts": row.parts,
        "turns": row.turn_count,
        "live": row.live.lower(),
    }
    record_running(row, kind, by, at, facts)
    told = [] if report is None else [ToldOf(row.site_id, row.pk, report)]
    alerts = raise_alerts(told, by, at)
    transaction.on_commit(partial(keep, row.pk, heard))
    return Told(row, report, alerts=alerts)


def _short(word: str, most: int, what: str) -> str:
    if not 0 < len(word) <= most:
        sentence = f"The {what} must have 1 to {most} characters; shorten it."
        raise RefusedInput(error("too_long", "id", sentence))
    return word

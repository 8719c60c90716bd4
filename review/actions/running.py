"""Running calls: opened, told part by part, ended; each part is judged as it comes.

1. The rows are the truth: the head and every part as it came, sealed under the call's own key.
2. Ended, the call is taken in as if it had come as one file, under the same id, and the parts go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.db import transaction

from catalogs.core.findings import Finding
from catalogs.queries import published_versions
from oipsce_site.ledger.actors import program, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import ApiClient
from oipsce_site.rows import insert_instances
from oipsce_site.sealing import CallSealer, new_data_key
from review.actions.alerting import raise_alerts
from review.actions.intake import Imported, Offer, Refused, import_calls
from review.actions.kept_calls import keep, take_kept
from review.actions.receipts import keep_receipt
from review.core.evaluation import Report
from review.core.evaluation.running import RunningCall as Heard
from review.core.evaluation.running import violations_of
from review.core.parsers.oip_call import parse_value
from review.core.parsers.oip_call.growing import GrowingCall, whole_call
from review.core.transcript import RefusedInput, call_digest, parse_json
from review.models import Call, LiveCode, RunningCall, RunningPart
from review.permissions import check_takes_calls
from review.queries.cascades import cascade_of
from review.queries.role_maps import confirmed_roles

IDLE = timedelta(hours=24)
_SWEEPER = "running_calls"


class NoRunningCall(Exception):
    """The client's site has no running call of this id."""


class UnableToHear(Exception):
    """The part or the end is not taken as the call stands; the sentence says why."""

    def __init__(self, sentence: str, *, last_turn: int | None = None) -> None:
        super().__init__(sentence)
        self.last_turn = last_turn


@dataclass(frozen=True, slots=True)
class Told:
    """A running call after what was told: its row, the report on it, what is to say of the part."""

    row: RunningCall
    report: Report | None
    findings: tuple[Finding, ...] = ()
    is_new: bool = False


def open_running_call(*, call_id: UUID, head: str, by: ApiClient, at: datetime) -> Told:
    """Open a call that is about to run. `head` is JSON text: the file's, as far as it is known.

    The same head again answers for the call that is there. Raises NotAllowed for a retired site,
    RefusedInput, or UnableToHear for a key that another call has.
    """
    check_takes_calls(by.site)
    said = _object(head)
    heard, row = _begin(call_id, said, by, at)
    findings = (*heard.growing.findings, *_add(heard, said))
    with transaction.atomic():
        if not insert_instances([row], ending="ON CONFLICT DO NOTHING RETURNING id"):
            return _opened_before(row)
        stored = Call.objects.filter(
            site=by.site, source=row.source, external_id=row.external_id
        )
        if stored.exists():
            raise UnableToHear(_TAKEN.format(row.external_id))
        row.sealed_head = _sealer(row).seal("head:0", head)
        told = _store(row, heard, program(by), "running.open", at)
    return Told(told.row, told.report, findings, is_new=True)


def append_to_running_call(
    *, call_id: UUID, part: str, by: ApiClient, at: datetime
) -> Told:
    """Tell more turns and events of a call, and judge it. `part` is JSON text.

    ``after`` in it names the turn that the part follows; where another one is the last, nothing is
    taken. Raises NoRunningCall, RefusedInput, UnableToHear.
    """
    said = _object(part)
    with transaction.atomic():
        row = _lock(call_id, by)
        _check_follows(row, said)
        heard = _heard(row)
        try:
            findings = heard.add(said)
        except RefusedInput:
            # Nothing of it was heard.
            keep(row.pk, heard)
            raise
        row.parts += 1
        sealed = _sealer(row).seal(f"part:{row.parts}", part)
        RunningPart.objects.create(running=row, number=row.parts, sealed=sealed)
        told = _store(row, heard, program(by), "running.append", at)
    return Told(told.row, told.report, findings)


def look_at_running_call(*, call_id: UUID, client: ApiClient) -> Told:
    """Return a running call as it stands. Raises NoRunningCall."""
    with transaction.atomic():
        row = _lock(call_id, client)
        if row.ended_at is not None:
            return Told(row, None)
        heard = _heard(row)
        report = heard.judge()
        keep(row.pk, heard)
    return Told(row, report)


def end_running_call(
    *, call_id: UUID, run_id: UUID, ended: bool | None, by: ApiClient, at: datetime
) -> Imported:
    """End a call and take it in; its pre-fill is asked for under `run_id`.

    `ended` None says that it was cut off. Raises NoRunningCall, RefusedInput for a call without a
    turn, UnableToHear for one that ended before or whose key another call has by now.
    """
    with transaction.atomic():
        row = _lock(call_id, by)
        return _end(row, run_id, program(by), at, ended=ended)


def end_idle_calls(*, run_ids: Mapping[UUID, UUID], by: str, at: datetime) -> int:
    """End calls that nothing was heard of for a day as cut off; returns how many.

    `run_ids` has an id of a pre-fill for each of them. What cannot be taken in is dropped: nobody
    tells more of it, and no words are kept for nobody.
    """
    ended = 0
    for call_id, run_id in run_ids.items():
        with transaction.atomic():
            row = RunningCall.objects.select_for_update(skip_locked=True, of=("self",)).filter(
                pk=call_id, ended_at__isnull=True, heard_at__lt=at - IDLE
            ).select_related("site", "client").first()
            if row is None:
                continue
            try:
                with transaction.atomic():
                    _end(row, run_id, worker(by), at, ended=None)
            except (RefusedInput, UnableToHear):
                row.refresh_from_db()
                _close(row, at)
                _record(row, "running.drop", worker(by), at, {})
            ended += 1
    return ended


def _begin(
    call_id: UUID, said: Mapping[str, object], by: ApiClient, at: datetime
) -> tuple[Heard, RunningCall]:
    growing = GrowingCall(said, where="the call")
    about = growing.about
    choice = published_versions().choose(about.attributes, about.date)
    row = RunningCall(
        id=call_id,
        site=by.site,
        client=by,
        source=_short(about.source.format, 100, "source's name"),
        external_id=_short(about.source.external_id, 500, "call's id"),
        head_digest=call_digest(said),
        catalog_version=choice.version,
        unmapped=choice.sentence or "",
        wrapped_key=new_data_key(),
        sealed_head=b"",
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
    heard = _heard(row)
    report = heard.judge()
    keep(row.pk, heard)
    return Told(row, report)


_TAKEN = (
    "There is a call {0!r} of this source already, running or ended. Give this one an id of its "
    "own."
)


def _lock(call_id: UUID, client: ApiClient) -> RunningCall:
    row = (
        RunningCall.objects.select_for_update(of=("self",))
        .select_related("catalog_version", "site")
        .filter(pk=call_id, site=client.site_id)
        .first()
    )
    if row is None:
        raise NoRunningCall
    return row


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
    sealer = _sealer(row)
    if heard is None or heard.parts > row.parts + 1:
        head = _object(sealer.open("head:0", row.sealed_head))
        heard = _listen(row, GrowingCall(head, where="the call"))
        _add(heard, head)
    # The head counts as the first part of what was heard.
    missing = row.told.filter(number__gte=heard.parts).order_by("number")
    for number, sealed in missing.values_list("number", "sealed"):
        _add(heard, _object(sealer.open(f"part:{number}", sealed)))
    return heard


def _add(heard: Heard, said: Mapping[str, object]) -> tuple[Finding, ...]:
    return heard.add({key: said[key] for key in ("turns", "events") if key in said})


def _store(row: RunningCall, heard: Heard, by: Actor, kind: str, at: datetime) -> Told:
    report = heard.judge()
    row.turn_count = len(heard.growing.turns)
    row.last_turn = heard.growing.last_turn
    row.live = "" if report is None else LiveCode(report.live.upper())
    row.heard_at = at
    row.save(
        update_fields=["turn_count", "last_turn", "live", "heard_at", "parts", "sealed_head"]
    )
    _record(row, kind, by, at, {"parts": row.parts, "turns": row.turn_count, "live": row.live})
    if report is not None:
        raise_alerts(row.site_id, row.pk, report.catalog.digest, violations_of(report), at)
    transaction.on_commit(partial(keep, row.pk, heard))
    return Told(row, report)


def _end(
    row: RunningCall, run_id: UUID, by: Actor, at: datetime, *, ended: bool | None
) -> Imported:
    if row.ended_at is not None:
        raise UnableToHear("The call has ended already.")
    sealer = _sealer(row)
    head = _object(sealer.open("head:0", row.sealed_head))
    parts = [
        _object(sealer.open(f"part:{number}", sealed))
        for number, sealed in row.told.order_by("number").values_list("number", "sealed")
    ]
    call, findings = parse_value(whole_call(head, parts, ended=ended), where="the call")
    if call is None:
        raise RefusedInput(findings[0])
    offer = Offer(row.pk, run_id, call, findings)
    [imported] = import_calls(site=row.site, offers=[offer], actor=by, received_by=None, at=at)
    if isinstance(imported, Refused):
        raise UnableToHear(imported.sentence)
    if imported.call_id == row.pk:
        keep_receipt(row.pk, row.client, at)
    _close(row, at)
    _record(row, "running.end", by, at, {"parts": row.parts, "turns": row.turn_count})
    return imported


def _close(row: RunningCall, at: datetime) -> None:
    """Let the words go: they are the call's now, or nobody's."""
    row.told.all().delete()
    row.wrapped_key, row.sealed_head, row.ended_at = b"", b"", at
    row.save(update_fields=["wrapped_key", "sealed_head", "ended_at"])
    transaction.on_commit(partial(take_kept, row.pk))


def _sealer(row: RunningCall) -> CallSealer:
    return CallSealer(row.site_id, row.pk, row.wrapped_key)


def _object(text: str) -> Mapping[str, object]:
    value, _ = parse_json(text, where="the request")
    return value if isinstance(value, dict) else {}


def _short(word: str, most: int, what: str) -> str:
    if not 0 < len(word) <= most:
        raise UnableToHear(f"The {what} must have 1 to {most} characters; shorten it.")
    return word


def _record(
    row: RunningCall, kind: str, by: Actor, at: datetime, facts: Mapping[str, Value]
) -> None:
    told = {"site_id": str(row.site_id), **facts}
    record(chain_id=row.pk, about=About.CALL, kind=kind, by=by, at=at, facts=told)


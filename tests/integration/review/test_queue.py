"""The reviewers' queue: who gets which call, for how long, and what becomes of it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.call_line import sample_key
from review.actions.decisions import HeldElsewhere, Taken, decide
from review.actions.holds import (
    LEAVING,
    HeldByAnother,
    UnableToHold,
    claim_call,
    dismiss_notice,
    leave_call,
    release_call,
    renew_hold,
    take_over,
)
from review.actions.mapping import send_to_mapping
from review.actions.queueing import assign_call, claim_next, skip_call
from review.actions.sealed import unseal_notes
from review.core.decisions import Ask, Kind, PointValue
from review.core.queue import HOLD, is_sampled
from review.models import Call, CallNote, HoldNotice, NoticeKind, PhaseRow
from review.permissions import NotAllowed
from review.queries.holds import Claimed
from review.queries.queue_list import QueueList, QueueNarrowing, QueuePlace, list_queue
from tests.factories import (
    NOON,
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)

pytestmark = pytest.mark.django_db

SOON = NOON + timedelta(minutes=5)
OVER = NOON + HOLD + timedelta(seconds=1)


@pytest.fixture
def ann(north: Site) -> User:
    return named("Ann", Role.REVIEWER, north)


@pytest.fixture
def ben(north: Site) -> User:
    return named("Ben", Role.REVIEWER, north)


@pytest.fixture
def sue(north: Site) -> User:
    return named("Sue", Role.SENIOR_REVIEWER, north)


def named(name: str, role: Role, site: Site) -> User:
    person = make_person(role, site=site, username=name.lower())
    person.printed_name = name
    person.save()
    return person


@pytest.fixture
def calls(north: Site, catalogs: None) -> list[UUID]:
    """Fill four calls, one of each class that reviewers take, in their order, the last flagless."""
    made = [prefilled(read(raw_micro(id=f"call-{number}")), north) for number in range(4)]
    for kind, pk in enumerate(made, start=1):
        Call.objects.filter(pk=pk).update(queue_class=kind)
    return made


def following(by: User, at: datetime = NOON, key: UUID | None = None) -> Claimed | None:
    return claim_next(narrowing=QueueNarrowing(), key=key or uuid4(), by=by, at=at)


def following_id(by: User, at: datetime = NOON) -> UUID | None:
    found = following(by, at)
    return None if found is None else found.call_id


def queue(by: User, at: datetime = NOON, **asked: str) -> QueueList:
    return list_queue(by, QueueNarrowing(**asked), at=at, limit=50)


def ids(found: QueueList) -> list[UUID]:
    return [one.line.id for one in found.lines]


def confirm(
    call_id: UUID, by: User, phase: str = "PID", at: datetime = NOON, kind: Kind = Kind.CONFIRM
) -> Taken:
    seen = PhaseRow.objects.values_list("revision", flat=True).get(call=call_id, phase=phase)
    asked = Ask(kind, phase, reason="for a reason" if kind is Kind.DOUBT else "")
    return decide(
        call_id=call_id, decision=asked, expected_revision=seen, key=uuid4(), by=by, at=at
    )


def log_of(call_id: UUID) -> list[Any]:
    assert verify(call_id) == []
    return [json.loads(entry.body) for entry in entries_of(call_id)]


def test_next_hands_out_the_gravest_first_and_every_call_once(
    calls: list[UUID], ann: User, ben: User
) -> None:
    taken = [following_id(by) for by in (ann, ben, ann, ben)]
    assert taken == calls
    assert following_id(ann) is None


def test_next_keeps_to_the_filters_of_the_page(calls: list[UUID], ann: User) -> None:
    asked = QueueNarrowing(kind="ambiguous")
    found = [claim_next(narrowing=asked, key=uuid4(), by=ann, at=NOON) for _ in range(2)]
    assert [one and one.call_id for one in found] == [calls[2], None]


def test_next_names_the_row_and_the_turn_to_look_at(north: Site, ann: User) -> None:
    publish(catalog_source("benefits_verification"))
    call_id = prefilled(case("case_b_call"), north)
    found = following(ann)
    assert found is not None
    assert (found.call_id, found.number) == (call_id, 1)
    assert found.phase in ("PID", "CSV")
    assert found.focus_turn == 42


def test_a_form_that_comes_twice_claims_once(calls: list[UUID], ann: User) -> None:
    key = uuid4()
    first, again = following(ann, key=key), following(ann, key=key)
    assert first == again
    assert Call.objects.filter(held_by=ann).count() == 1


@pytest.mark.parametrize(
    "role", [Role.AUDITOR, Role.COMPLIANCE_OFFICER, Role.ADMINISTRATOR, Role.CATALOG_AUTHOR]
)
def test_who_decides_nothing_takes_nothing(role: Role, calls: list[UUID], north: Site) -> None:
    somebody = make_person(role, site=north)
    with pytest.raises(NotAllowed):
        following(somebody)
    with pytest.raises(NotAllowed):
        claim_call(call_id=calls[0], by=somebody, at=NOON)


def test_nobody_gets_a_call_of_another_site(calls: list[UUID]) -> None:
    far = make_person(Role.REVIEWER, site=make_site("far"))
    assert following_id(far) is None
    assert not queue(far).lines
    with pytest.raises(NotAllowed):
        claim_call(call_id=calls[0], by=far, at=NOON)


# --- how long a hold lasts ----------------------------------------------------------------------


def test_c02_a_hold_ends_by_the_clock_with_nothing_running(
    calls: list[UUID], ann: User, ben: User
) -> None:
    assert following_id(ann) == calls[0]
    with pytest.raises(HeldByAnother, match=r"Ann holds this call until 12:15 UTC"):
        claim_call(call_id=calls[0], by=ben, at=NOON + HOLD - timedelta(seconds=1))
    assert following_id(ben, NOON + timedelta(minutes=16)) == calls[0]
    assert Call.objects.get(pk=calls[0]).held_by == ben


def test_who_lost_a_hold_is_told_and_the_log_has_it(
    calls: list[UUID], ann: User, ben: User
) -> None:
    following(ann)
    following(ben, OVER)
    [notice] = HoldNotice.objects.all()
    assert (notice.to, notice.by, notice.kind) == (ann, ben, NoticeKind.ENDED)
    assert (notice.held_until, notice.seen_at) == (NOON + HOLD, None)
    entry = log_of(calls[0])[-1]
    assert (entry["type"], entry["facts"]["from"]) == ("hold.take_over", str(ann.pk))
    dismiss_notice(notice_id=notice.pk, by=ben, at=OVER)
    assert HoldNotice.objects.filter(seen_at__isnull=True).exists()  # not theirs to put away
    dismiss_notice(notice_id=notice.pk, by=ann, at=OVER)
    assert not HoldNotice.objects.filter(seen_at__isnull=True).exists()


def test_ones_own_hold_that_ended_is_claimed_again_without_a_word(
    calls: list[UUID], ann: User
) -> None:
    assert claim_call(call_id=calls[0], by=ann, at=NOON) == 1
    assert claim_call(call_id=calls[0], by=ann, at=SOON) == 1  # renewed
    assert claim_call(call_id=calls[0], by=ann, at=SOON + 2 * HOLD) == 2
    assert not HoldNotice.objects.exists()


def test_nobody_is_told_of_a_call_that_they_had_done_with(
    calls: list[UUID], ann: User, sue: User
) -> None:
    following(ann)
    Call.objects.filter(pk=calls[0]).update(queue_class=7)
    claim_call(call_id=calls[0], by=sue, at=OVER)
    assert not HoldNotice.objects.exists()


def test_a_hold_is_renewed_under_its_number_alone(calls: list[UUID], ann: User, ben: User) -> None:
    number = claim_call(call_id=calls[0], by=ann, at=NOON)
    assert renew_hold(call_id=calls[0], number=number, by=ann, at=SOON) == SOON + HOLD
    # Over, but nobody came: it is still theirs.
    late = SOON + 2 * HOLD
    assert renew_hold(call_id=calls[0], number=number, by=ann, at=late) == late + HOLD
    release_call(call_id=calls[0], reason="", by=ann, at=late)
    with pytest.raises(UnableToHold, match="Nobody holds it now"):
        renew_hold(call_id=calls[0], number=number, by=ann, at=late)
    claim_call(call_id=calls[0], by=ben, at=late)
    with pytest.raises(UnableToHold, match="Ben holds it until"):
        renew_hold(call_id=calls[0], number=number, by=ann, at=late)


def test_a_page_that_is_left_frees_its_call_soon_unless_it_comes_back(
    calls: list[UUID], ann: User, ben: User
) -> None:
    number = claim_call(call_id=calls[0], by=ann, at=NOON)
    leave_call(call_id=calls[0], number=number, by=ann, at=SOON)
    with pytest.raises(HeldByAnother):
        claim_call(call_id=calls[0], by=ben, at=SOON)
    # Loaded again: it is held as before, and who left an older hold changes nothing.
    renew_hold(call_id=calls[0], number=number, by=ann, at=SOON)
    leave_call(call_id=calls[0], number=number - 1, by=ann, at=SOON)
    leave_call(call_id=calls[0], number=number, by=ben, at=SOON)
    assert Call.objects.get(pk=calls[0]).held_until == SOON + HOLD
    leave_call(call_id=calls[0], number=number, by=ann, at=SOON)
    assert claim_call(call_id=calls[0], by=ben, at=SOON + LEAVING) == number + 1


def test_what_is_released_is_free_at_once(calls: list[UUID], ann: User, ben: User) -> None:
    following(ann)
    release_call(call_id=calls[0], reason="", by=ann, at=SOON)
    assert following_id(ben, SOON) == calls[0]
    assert not HoldNotice.objects.exists()


def test_a_senior_reviewer_takes_over_with_a_reason(
    calls: list[UUID], ann: User, ben: User, sue: User
) -> None:
    following(ann)
    with pytest.raises(NotAllowed, match="senior"):
        take_over(call_id=calls[0], reason="mine", by=ben, at=SOON)
    with pytest.raises(UnableToHold, match="Write down why") as refusal:
        take_over(call_id=calls[0], reason=" ", by=sue, at=SOON)
    assert refusal.value.field == "reason"
    assert take_over(call_id=calls[0], reason="Mary is waiting", by=sue, at=SOON) == 2
    assert Call.objects.get(pk=calls[0]).held_by == sue
    [notice] = HoldNotice.objects.all()
    assert (notice.to, notice.kind) == (ann, NoticeKind.TAKEN_OVER)
    check_sealed(calls[0], "hold.take_over", "Mary is waiting")


def test_a_senior_reviewer_releases_anothers_hold_with_a_reason(
    calls: list[UUID], ann: User, ben: User, sue: User
) -> None:
    following(ann)
    with pytest.raises(NotAllowed, match="senior"):
        release_call(call_id=calls[0], reason="why", by=ben, at=SOON)
    release_call(call_id=calls[0], reason="Mary is ill", by=sue, at=SOON)
    assert Call.objects.get(pk=calls[0]).held_by is None
    assert HoldNotice.objects.get().kind == NoticeKind.RELEASED
    check_sealed(calls[0], "hold.release", "Mary is ill")


def check_sealed(call_id: UUID, kind: str, words: str) -> None:
    """Check that the log commits to words that lie sealed, and has none of them."""
    last = log_of(call_id)[-1]
    assert last["type"] == kind
    assert len(last["facts"]["reason_commitment"]) == 64
    assert words.split()[0] not in json.dumps(last)
    [note] = CallNote.objects.filter(call=call_id)
    assert unseal_notes(Call.objects.get(pk=call_id), [note]) == [words]


# --- deciding and holding -----------------------------------------------------------------------


def test_deciding_claims_a_free_call_and_renews_ones_own_hold(calls: list[UUID], ann: User) -> None:
    confirm(calls[0], ann)
    held = Call.objects.get(pk=calls[0])
    assert (held.held_by, held.held_until, held.hold_number) == (ann, NOON + HOLD, 1)
    confirm(calls[0], ann, "CSV", SOON)
    held.refresh_from_db()
    assert (held.held_until, held.hold_number) == (SOON + HOLD, 1)


def test_c01_two_people_never_decide_one_call_at_a_time(
    calls: list[UUID], ann: User, ben: User
) -> None:
    following(ann)
    with pytest.raises(HeldElsewhere, match=r"Ann holds this call until 12:15 UTC"):
        confirm(calls[0], ben, at=SOON)
    assert PhaseRow.objects.get(call=calls[0], phase="PID").standing == "PROPOSED"
    confirm(calls[0], ben, at=OVER)
    with pytest.raises(HeldElsewhere, match="Ben holds"):
        confirm(calls[0], ann, "CSV", at=OVER)


def test_a_call_moves_through_the_classes_as_it_is_decided(
    north: Site, catalogs: None, ann: User, sue: User
) -> None:
    call_id = prefilled(case(), north)
    phases = list(PhaseRow.objects.filter(call=call_id).order_by("position"))
    flagged = [row.phase for row in phases if row.flags]
    assert Call.objects.get().queue_class == 1
    for phase in flagged[:-1]:
        confirm(call_id, ann, phase)
    assert Call.objects.get().queue_phase == flagged[-1]
    confirm(call_id, ann, flagged[-1], kind=Kind.DOUBT)
    assert (Call.objects.get().queue_class, Call.objects.get().queue_phase) == (5, flagged[-1])
    # What waits for a senior reviewer is offered to no other, and to these once it is free.
    assert following_id(ann, OVER) is None
    assert following_id(sue, SOON) is None
    assert following_id(sue, OVER) == call_id
    confirm(call_id, sue, flagged[-1], OVER)
    assert Call.objects.get().queue_class == 7
    assert following_id(sue, OVER + 2 * HOLD) is None


def test_c03_what_one_turned_round_is_offered_to_another(north: Site, sue: User) -> None:
    publish(catalog_source("benefits_verification"))
    call_id = prefilled(case("case_b_call"), north)
    asked = Ask(Kind.SET_START, "CSV", value=PointValue(60), reason="why")
    decide(call_id=call_id, decision=asked, expected_revision=1, key=uuid4(), by=sue, at=NOON)
    for phase in PhaseRow.objects.exclude(phase="CSV").values_list("phase", flat=True):
        confirm(call_id, sue, phase)
    assert Call.objects.get().queue_class == 6
    assert following_id(sue, OVER) is None
    assert following_id(named("Kim", Role.SENIOR_REVIEWER, north), OVER) == call_id


@pytest.mark.parametrize("state", ["SIGNED", "WITHDRAWN", "PREFILLING", "RECEIVED"])
def test_a_call_that_is_elsewhere_is_not_in_the_queue(
    state: str, calls: list[UUID], ann: User
) -> None:
    Call.objects.filter(pk=calls[0]).update(state=state)
    assert calls[0] not in ids(queue(ann))
    assert following_id(ann) == calls[1]
    with pytest.raises(UnableToHold, match="asks for nobody"):
        claim_call(call_id=calls[0], by=ann, at=NOON)


def test_a_call_that_is_sent_back_leaves_the_queue(calls: list[UUID], ann: User, sue: User) -> None:
    following(ann)
    send_to_mapping(call_id=calls[0], reason="swapped", by=sue, at=SOON)
    with pytest.raises(UnableToHold, match="needs mapping"):
        renew_hold(call_id=calls[0], number=1, by=ann, at=SOON)
    assert calls[0] not in ids(queue(ann))


# --- passing over, putting aside ----------------------------------------------------------------


def test_a_skipped_call_goes_to_the_end_of_ones_own_queue_only(
    calls: list[UUID], ann: User, ben: User
) -> None:
    assert following_id(ann) == calls[0]
    skip_call(call_id=calls[0], reason="Mary is my aunt", by=ann, at=SOON)
    assert Call.objects.get(pk=calls[0]).held_by is None
    check_sealed(calls[0], "call.skip", "Mary is my aunt")
    assert following_id(ben, SOON) == calls[0]
    release_call(call_id=calls[0], reason="", by=ben, at=SOON)
    assert [following_id(ann, SOON) for _ in range(5)] == [*calls[1:], calls[0], None]
    with pytest.raises(UnableToHold, match="Write down why"):
        skip_call(call_id=calls[1], reason="", by=ann, at=SOON)


def test_an_assigned_call_comes_first_and_to_nobody_else(
    calls: list[UUID], ann: User, ben: User, sue: User, north: Site
) -> None:
    with pytest.raises(NotAllowed, match="senior"):
        assign_call(call_id=calls[2], to=ann.pk, by=ben, at=NOON)
    for somebody in (make_person(Role.AUDITOR, site=north).pk, uuid4()):
        with pytest.raises(UnableToHold, match="of the call's site") as refusal:
            assign_call(call_id=calls[2], to=somebody, by=sue, at=NOON)
        assert refusal.value.field == "to"
    assign_call(call_id=calls[2], to=ann.pk, by=sue, at=NOON)
    assert (log_of(calls[2])[-1]["type"], log_of(calls[2])[-1]["facts"]["to"]) == (
        "call.assign",
        str(ann.pk),
    )
    assert ids(queue(ann, assigned="me")) == [calls[2]]
    assert ids(queue(ben, assigned="others")) == [calls[2]]
    assert [following_id(ben) for _ in range(4)] == [calls[0], calls[1], calls[3], None]
    assert following_id(ann) == calls[2]
    assign_call(call_id=calls[2], to=None, by=sue, at=NOON)
    assert len(ids(queue(ann, assigned="nobody"))) == 4


# --- the list -----------------------------------------------------------------------------------


def test_what_others_hold_is_listed_with_until_when(
    calls: list[UUID], ann: User, ben: User
) -> None:
    following(ann)
    found = queue(ben, SOON)
    assert ids(found) == calls
    hold = found.lines[0].hold
    assert (hold.who, hold.until, hold.is_live(SOON)) == ("Ann", NOON + HOLD, True)
    assert (found.mine, found.others) == (0, 1)
    assert (queue(ann, SOON).mine, queue(ann, SOON).others) == (1, 0)
    assert ids(queue(ben, SOON, held="others")) == [calls[0]]
    assert ids(queue(ben, SOON, held="free")) == calls[1:]
    assert ids(queue(ann, SOON, held="mine")) == [calls[0]]
    assert queue(ben, OVER).others == 0


def test_a_page_begins_at_a_place(calls: list[UUID], ann: User) -> None:
    def page(place: QueuePlace | None) -> QueueList:
        return list_queue(ann, QueueNarrowing(), at=NOON, limit=2, place=place)

    first = page(None)
    second = page(first.after)
    assert ids(first) + ids(second) == calls
    assert (first.before, second.after) == (None, None)
    assert ids(page(second.before)) == ids(first)


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ({}, [0, 1, 2, 3]),
        ({"kind": "critical"}, [1]),
        ({"text": "call-2"}, [2]),
        ({"site": "north"}, [0, 1, 2, 3]),
        ({"site": "south"}, []),
        ({"age": "day"}, [0, 1, 2, 3]),
        ({"age": "older"}, []),
        ({"age": "late"}, []),
        ({"flag": "SAFETY_CRITICAL"}, [0, 1, 2, 3]),
    ],
)
def test_the_queue_is_narrowed(
    asked: dict[str, Any], places: list[int], calls: list[UUID], ann: User
) -> None:
    assert ids(queue(ann, **asked)) == [calls[place] for place in places]


def test_late_calls_are_those_over_their_limit(calls: list[UUID], ann: User) -> None:
    assert ids(queue(ann, NOON + timedelta(days=3), age="late")) == calls[:2]


def test_c09_counts_are_those_of_the_list(calls: list[UUID], ann: User, ben: User) -> None:
    """Whatever is asked, the number that is told is the number of calls that are listed."""
    following(ben)
    Call.objects.filter(pk=calls[1]).update(state="SIGNED")
    assert queue(ann).total == 3
    cheap: list[dict[str, str]] = [{}, {"kind": "order"}, {"kind": "critical"}, {"verdict": "pass"}]
    for asked in cheap:
        found = queue(ann, SOON, **asked)
        assert found.total == len(found.lines) == found.count(**asked), asked
    narrowed: list[dict[str, str]] = [
        *({"held": one} for one in ("mine", "others", "free")),
        *({"assigned": one} for one in ("me", "others", "nobody")),
        {"text": "call"},
        {"age": "day"},
        {"flag": "PARTIAL"},
    ]
    for asked in narrowed:
        found = queue(ann, SOON, **asked)
        assert (found.total, found.cells) == (len(found.lines), None), asked


def test_of_a_call_that_is_read_blind_nothing_is_told(calls: list[UUID], ann: User) -> None:
    blind = queue(ann).lines[3]
    assert blind.placed.kind.name == "SAMPLE"
    line = blind.line
    assert (line.coverage, line.order_safe, line.call_success) == (None, None, None)
    assert line.focus_turn is None
    # Nor does a filter or a count say it.
    for verdict in ("pass", "fail", "undetermined"):
        found = queue(ann, verdict=verdict)
        assert calls[3] not in ids(found)
        assert found.count(verdict=verdict) == len(found.lines)


def test_a_twentieth_of_what_has_no_flag_is_drawn(north: Site, catalogs: None) -> None:
    """Of calls without any flag those that the keyed hash takes are read blind."""
    call_id = prefilled(case(), north)
    PhaseRow.objects.filter(call=call_id).update(flags=[])
    confirm(call_id, named("Ann", Role.REVIEWER, north))
    drawn = is_sampled(call_id, sample_key())
    assert Call.objects.get().queue_class == (4 if drawn else 7)

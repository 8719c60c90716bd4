"""A person says how a call is read: confirmed, remembered, sent back, withdrawn, read again."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest

from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from oipsce_site.sealing import SealBroken
from review.actions.claims import claim_prefills
from review.actions.intake import Offer, UnableToImport
from review.actions.mapping import Reading, confirm_mapping, send_to_mapping, withdraw_call
from review.actions.opening import open_for_mapping, work_on
from review.actions.refusals import MovedOn, UnableToMap
from review.actions.reimport import import_revision
from review.actions.requeue import read_again
from review.actions.revising import swap_speakers
from review.actions.sealed import nonces_of, sealer_of
from review.core.evaluation import judge_call
from review.core.evidence.spans import commit
from review.core.transcript import NOT_READ, Settings, Swap
from review.models import (
    Call,
    CallNote,
    EvidenceCommitment,
    PhaseRow,
    PrefillRun,
    RoleMap,
    TranscriptRevision,
    Turn,
)
from review.permissions import NotAllowed
from review.queries import cascade_of, get_call_for
from review.queries.decided import decided_calls
from review.tasks import prefill_waiting
from tests.factories import (
    NOON,
    case,
    catalog_source,
    given_up,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
    read_as,
    take,
    unmapped_call,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("published")]

ROLES = {"doctor": "agent", "patient": "patient"}


@pytest.fixture
def mapper(north: Site) -> User:
    return make_person(Role.COMPLIANCE_OFFICER, site=north)


@pytest.fixture
def waiting(north: Site) -> UUID:
    """Return a call that waits for the role of its doctor."""
    return take(unmapped_call(), north).call_id


def confirm(call_id: UUID, by: User | None, reading: Reading | None = None) -> None:
    confirm_mapping(
        call_id=call_id, reading=reading or read_as(ROLES), run_id=uuid4(), by=by, at=NOON
    )


def kinds(call_id: UUID) -> list[str]:
    assert verify(call_id) == []
    return [json.loads(entry.body)["type"] for entry in entries_of(call_id)][1:]


def state_of(call_id: UUID) -> str:
    return Call.objects.values_list("state", flat=True).get(pk=call_id)


def test_a_confirmed_call_is_read_with_the_roles_that_were_said(
    waiting: UUID, mapper: User
) -> None:
    assert state_of(waiting) == "NEEDS_MAPPING"
    confirm(waiting, mapper)
    assert state_of(waiting) == "PREFILLING"
    assert kinds(waiting) == [
        *("call.ingest", "transcript.revise", "mapping.confirm", "prefill.queue")
    ]
    prefill_waiting()
    assert state_of(waiting) == "AWAITING_REVIEW"
    assert PhaseRow.objects.get(call=waiting, phase="PID").verdict == "PASS"


def test_old_turns_are_kept_as_they_were_and_open_only_as_theirs(
    waiting: UUID, mapper: User
) -> None:
    before = work_on(call_id=waiting).call
    old = list(Turn.objects.filter(call=waiting).order_by("id").values())
    confirm(waiting, mapper)
    after = work_on(call_id=waiting).call
    assert (before.revision, after.revision) == (1, 2)
    assert {turn.role for turn in after.turns} == {"agent", "patient"}
    assert [turn.text for turn in after.turns] == [turn.text for turn in before.turns]
    assert list(Turn.objects.filter(call=waiting, revision=1).order_by("id").values()) == old
    assert [one.number for one in TranscriptRevision.objects.order_by("number")] == [1, 2]
    first, second = TranscriptRevision.objects.order_by("number")
    assert first.transcript_digest != second.transcript_digest
    assert (first.source_sha256, second.by) == (second.source_sha256, mapper)


def test_a_turn_sealed_for_one_revision_does_not_open_as_another(
    waiting: UUID, mapper: User
) -> None:
    confirm(waiting, mapper)
    sealer = sealer_of(Call.objects.get(pk=waiting))
    turn = Turn.objects.get(call=waiting, revision=2, position=0)
    with pytest.raises(SealBroken):
        sealer.open(f"turn:{turn.number}", turn.sealed)
    assert sealer.open(f"turn:r2:{turn.number}", turn.sealed)


def test_evidence_is_committed_under_the_nonces_of_the_revision_that_was_read(
    waiting: UUID, mapper: User
) -> None:
    confirm(waiting, mapper)
    prefill_waiting()
    call = work_on(call_id=waiting).call
    texts = {turn.number: turn.text for turn in call.turns}
    pieces = EvidenceCommitment.objects.all()
    assert pieces
    nonces = nonces_of(Call.objects.get(pk=waiting), {piece.turn for piece in pieces})
    assert all(
        piece.commitment == commit(texts[piece.turn][piece.start : piece.end], nonces[piece.turn])
        for piece in pieces
        if piece.end
    )


def test_a_map_is_confirmed_once_per_source_and_catalog(
    waiting: UUID, mapper: User, north: Site
) -> None:
    confirm(waiting, mapper)
    assert RoleMap.objects.get().roles == ROLES
    second = take(unmapped_call(id="second"), north)
    assert (second.state, second.sentence) == ("PREFILLING", "")
    assert Call.objects.get(pk=second.call_id).transcript_revision == 1
    elsewhere = take(unmapped_call(id="third"), make_site("south"))
    assert elsewhere.state == "NEEDS_MAPPING"
    other_source = replace(unmapped_call(id="fourth").source, format="other")
    asked = take(replace(unmapped_call(id="fourth"), source=other_source), north)
    assert asked.state == "NEEDS_MAPPING"


def test_a_map_that_was_not_to_be_remembered_is_not(
    waiting: UUID, mapper: User, north: Site
) -> None:
    confirm(waiting, mapper, read_as(ROLES, remember=False))
    assert not RoleMap.objects.exists()
    assert take(unmapped_call(id="second"), north).state == "NEEDS_MAPPING"


def test_a_word_two_voices_share_is_not_remembered(north: Site, mapper: User) -> None:
    raw = raw_micro(speakers={"a": {"role": "human"}, "b": {"role": "human"}})
    for turn in raw["turns"]:
        turn["speaker"] = {"agent": "a", "patient": "b"}[turn["speaker"]]
    call_id = take(read(raw), north).call_id
    confirm(call_id, mapper, read_as({"a": "agent", "b": "patient"}))
    assert RoleMap.objects.get().roles == {}


def test_a_usual_name_of_a_role_is_proposed_and_waits_for_a_person(
    north: Site, mapper: User
) -> None:
    raw = raw_micro(speakers={"assistant": {}, "user": {}})
    for turn in raw["turns"]:
        turn["speaker"] = {"agent": "assistant", "patient": "user"}[turn["speaker"]]
    imported = take(read(raw), north)
    assert imported.state == "NEEDS_MAPPING"
    assert "'user' is probably the patient. Confirm it once" in imported.sentence
    confirm(imported.call_id, mapper, read_as({"assistant": "agent", "user": "patient"}))
    assert [one["code"] for one in Call.objects.get().findings] == []
    assert take(read({**raw, "id": "next"}), north).state == "PREFILLING"


def test_a_speaker_may_be_left_unread_and_the_worker_does_not_know_better(
    north: Site, mapper: User
) -> None:
    raw = raw_micro(speakers={"agent": {"role": "agent"}, "user": {}})
    for turn in raw["turns"]:
        turn["speaker"] = turn["speaker"].replace("patient", "user")
    call_id = take(read(raw), north).call_id
    confirm(call_id, mapper, read_as({"agent": "agent", "user": NOT_READ}))
    call = work_on(call_id=call_id).call
    version = Call.objects.select_related("catalog_version").get().catalog_version
    assert version is not None
    judged = judge_call(call, cascade_of(version.digest))
    assert {turn.role for turn in judged.call.turns} == {"agent", NOT_READ}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"roles": {"doctor": "agent"}}, "role:patient"),
        ({"roles": {**ROLES, "doctor": "clinician"}}, "role:doctor"),
        ({"settings": Settings({"type": "unheard_of"}, True, None)}, "catalog"),
        ({"settings": Settings({"type": None}, True, None)}, "catalog"),
        ({"settings": Settings({"type": "member_benefits", "date": None}, True, None)}, "date"),
    ],
)
def test_what_is_missing_is_said_at_its_field(
    changes: dict[str, Any], field: str, waiting: UUID, mapper: User
) -> None:
    with pytest.raises(UnableToMap) as refused:
        confirm(waiting, mapper, read_as(**{"roles": ROLES, **changes}))
    assert refused.value.field == field
    assert (state_of(waiting), kinds(waiting)) == ("NEEDS_MAPPING", ["call.ingest"])


def test_date_and_type_choose_the_catalog(north: Site, mapper: User) -> None:
    call_id = take(unmapped_call(call={"type": "other"}), north).call_id
    settings = Settings({"type": "member_benefits", "date": date(2026, 3, 10)}, None, "en-US")
    confirm(call_id, mapper, read_as(ROLES, settings=settings))
    stored = Call.objects.get(pk=call_id)
    assert (stored.state, stored.call_date) == ("PREFILLING", date(2026, 3, 10))
    assert (stored.ended, stored.language) == (None, "en-US")
    assert stored.catalog_version is not None
    assert work_on(call_id=call_id).call.attributes["type"] == "member_benefits"


def test_every_doubt_about_order_is_accepted_by_name(north: Site, mapper: User) -> None:
    raw = raw_micro()
    for turn in raw["turns"]:
        turn["t0"], turn["t1"] = 5, 6
    call_id = take(read(raw), north).call_id
    roles = {"agent": "agent", "patient": "patient"}
    accepted = frozenset({"equal_timestamps"})
    with pytest.raises(UnableToMap, match="accept their order") as refused:
        confirm(call_id, mapper, read_as(roles, accepted=accepted))
    assert refused.value.field == "accept:overlap"
    confirm(call_id, mapper, read_as(roles, accepted=accepted | {"overlap"}))
    # Nothing that is read has changed, so there is no second transcript.
    assert Call.objects.get(pk=call_id).transcript_revision == 1
    # What was accepted still goes to a person where a critical edge meets it.
    assert {"equal_timestamps", "overlap"} <= set(work_on(call_id=call_id).call.flags)


def test_who_comes_second_is_told_and_changes_nothing(waiting: UUID, mapper: User) -> None:
    swap_speakers(
        call_id=waiting, swap=Swap(1, 2, "doctor", "patient"), expected=1, by=mapper, at=NOON
    )
    with pytest.raises(MovedOn, match="another transcript now"):
        confirm(waiting, mapper)
    confirm(waiting, mapper, read_as(ROLES, expected=2))
    with pytest.raises(MovedOn, match="pre-filling now"):
        confirm(waiting, mapper, read_as(ROLES, expected=3))
    assert kinds(waiting).count("mapping.confirm") == 1


def test_a_swap_is_the_next_revision_and_the_call_waits_on(waiting: UUID, mapper: User) -> None:
    before = work_on(call_id=waiting).call
    first = before.turns[0].number
    number = swap_speakers(
        call_id=waiting,
        swap=Swap(first, first, "doctor", "patient"),
        expected=1,
        by=mapper,
        at=NOON,
    )
    after = work_on(call_id=waiting).call
    assert (number, after.revision, state_of(waiting)) == (2, 2, "NEEDS_MAPPING")
    assert after.turns[0].speaker != before.turns[0].speaker
    assert after.turns[1:] == before.turns[1:]
    with pytest.raises(UnableToMap, match="None of the turns 900 to 901"):
        swap_speakers(
            call_id=waiting,
            swap=Swap(900, 901, "doctor", "patient"),
            expected=2,
            by=mapper,
            at=NOON,
        )


def test_a_call_sent_back_and_confirmed_as_it_was_keeps_its_rows(north: Site, mapper: User) -> None:
    call_id = prefilled(case(), north)
    rows = list(PhaseRow.objects.order_by("id").values())
    send_to_mapping(call_id=call_id, reason="Is the date right?", by=mapper, at=NOON)
    assert state_of(call_id) == "NEEDS_MAPPING"
    confirm(call_id, mapper, read_as({"agent": "agent", "patient": "patient"}))
    assert state_of(call_id) == "AWAITING_REVIEW"
    assert list(PhaseRow.objects.order_by("id").values()) == rows
    assert PrefillRun.objects.count() == 1


def test_a_call_read_again_with_other_roles_shows_only_the_new_reading(
    north: Site, mapper: User
) -> None:
    call_id = prefilled(case(), north)
    reader = make_person(Role.REVIEWER, site=north)
    send_to_mapping(call_id=call_id, reason="The two are swapped.", by=mapper, at=NOON)
    exchanged = read_as({"agent": "patient", "patient": "agent"}, remember=False)
    confirm(call_id, mapper, exchanged)
    assert not PhaseRow.objects.exists()
    shown = get_call_for(reader, call_id)
    assert shown is not None
    assert (shown.report, shown.line.coverage) == (None, None)
    prefill_waiting()
    again = get_call_for(reader, call_id)
    assert again is not None
    assert again.report is not None
    assert PrefillRun.objects.filter(state="DONE").count() == 2
    # The first evaluation is still there, and is re-checked with the attributes it was made with.
    assert len(list(decided_calls())) == 2


def test_a_reading_that_another_replaced_is_made_again_not_shown_as_new(
    north: Site, mapper: User
) -> None:
    call_id = prefilled(case(), north)
    there, back = {"agent": "patient", "patient": "agent"}, {"agent": "agent", "patient": "patient"}
    for revision, roles in ((1, there), (2, back)):
        send_to_mapping(call_id=call_id, reason="swapped", by=mapper, at=NOON)
        confirm(call_id, mapper, read_as(roles, expected=revision, remember=False))
        prefill_waiting()
    assert Call.objects.get(pk=call_id).transcript_revision == 3
    assert PrefillRun.objects.filter(state="DONE").count() == 3
    assert PhaseRow.objects.get(call=call_id, phase="PID").verdict == "PASS"


def test_a_row_that_a_person_touched_outlives_the_mapping_and_holds_the_catalog(
    north: Site, mapper: User
) -> None:
    call_id = prefilled(case(), north)
    PhaseRow.objects.filter(phase="PID").update(touched_at=NOON)
    Call.objects.filter(pk=call_id).update(state="IN_REVIEW")
    send_to_mapping(call_id=call_id, reason="wrong type", by=mapper, at=NOON)
    publish(catalog_source("nurse_triage"))
    other = Settings({"type": "nurse_triage", "date": date(2026, 3, 10)}, True, None)
    roles = {"agent": "nurse", "patient": "caller"}
    with pytest.raises(UnableToMap, match="People have decided rows of this call"):
        confirm(call_id, mapper, read_as(roles, settings=other))
    confirm(call_id, mapper, read_as({"agent": "patient", "patient": "agent"}))
    assert [row.phase for row in PhaseRow.objects.all()] == ["PID"]


@pytest.mark.parametrize("state", ["PREFILLING", "SIGNED", "WITHDRAWN"])
def test_what_is_elsewhere_is_not_sent_back(state: str, north: Site, mapper: User) -> None:
    call_id = prefilled(case(), north)
    Call.objects.filter(pk=call_id).update(state=state)
    with pytest.raises(UnableToMap, match="is not sent back"):
        send_to_mapping(call_id=call_id, reason="why", by=mapper, at=NOON)


def test_a_withdrawn_call_keeps_the_reason_sealed(waiting: UUID, mapper: User) -> None:
    with pytest.raises(UnableToMap, match="Write down why"):
        withdraw_call(call_id=waiting, reason=" \n", by=mapper, at=NOON)
    with pytest.raises(UnableToMap, match="Shorten it"):
        withdraw_call(call_id=waiting, reason="x" * 2001, by=mapper, at=NOON)
    withdraw_call(call_id=waiting, reason="Two calls in one file.", by=mapper, at=NOON)
    assert state_of(waiting) == "WITHDRAWN"
    assert b"Two calls" not in bytes(CallNote.objects.get().sealed)
    last = json.loads(list(entries_of(waiting))[-1].body)
    assert (last["type"], len(last["facts"]["reason_commitment"])) == ("call.withdraw", 64)
    _, [reason] = open_for_mapping(call_id=waiting, by=mapper, at=NOON)
    assert (reason.kind, reason.words) == ("withdrawn", "Two calls in one file.")
    with pytest.raises(MovedOn):
        withdraw_call(call_id=waiting, reason="again", by=mapper, at=NOON)


def test_a_failed_pre_fill_is_read_again_with_new_attempts_and_an_old_token_stays_out(
    mapper: User, north: Site
) -> None:
    call_id = given_up(read(raw_micro(id="lost")))
    assert state_of(call_id) == "NEEDS_MAPPING"
    read_again(call_id=call_id, by=mapper, at=NOON)
    run = PrefillRun.objects.get()
    assert (run.state, run.attempts, run.most_attempts) == ("QUEUED", 3, 6)
    assert state_of(call_id) == "PREFILLING"
    [started] = claim_prefills(most=1, at=NOON)
    assert started.attempt == 4
    with pytest.raises(UnableToMap, match="nothing to read again"):
        read_again(call_id=call_id, by=mapper, at=NOON)


def test_confirming_a_call_whose_pre_fill_failed_reads_it_again(mapper: User) -> None:
    call_id = given_up(read(raw_micro(id="lost")))
    confirm(call_id, mapper, read_as({"agent": "agent", "patient": "patient"}))
    assert (state_of(call_id), PrefillRun.objects.get().state) == ("PREFILLING", "QUEUED")
    prefill_waiting()
    assert state_of(call_id) == "AWAITING_REVIEW"


def test_a_call_that_waits_for_something_else_is_not_read_again(
    waiting: UUID, mapper: User
) -> None:
    with pytest.raises(UnableToMap, match="nothing to read again"):
        read_again(call_id=waiting, by=mapper, at=NOON)


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.AUDITOR, Role.ADMINISTRATOR])
def test_only_who_imports_maps(role: Role, waiting: UUID, north: Site) -> None:
    person = make_person(role, site=north)
    acts = (
        lambda: confirm(waiting, person),
        lambda: withdraw_call(call_id=waiting, reason="x", by=person, at=NOON),
        lambda: send_to_mapping(call_id=waiting, reason="x", by=person, at=NOON),
        lambda: read_again(call_id=waiting, by=person, at=NOON),
        lambda: swap_speakers(
            call_id=waiting, swap=Swap(1, 2, "doctor", "patient"), expected=1, by=person, at=NOON
        ),
    )
    for act in acts:
        with pytest.raises(NotAllowed):
            act()
    assert kinds(waiting) == ["call.ingest"]


# --- other bytes of a known call ----------------------------------------------------------------


def revise(call: Any, north: Site, by: User | None = None) -> Any:
    return import_revision(site=north, offer=Offer(uuid4(), uuid4(), call), by=by, at=NOON)


def changed(**changes: Any) -> Any:
    raw = raw_micro(**changes)
    raw["turns"][0]["text"] += " Hello again."
    return read(raw)


def test_other_bytes_become_the_next_revision_where_asked_for(north: Site) -> None:
    prefilled(case(), north)
    other = changed()
    imported = revise(other, north)
    assert (imported.outcome.value, imported.state) == ("changed", "PREFILLING")
    stored = work_on(call_id=imported.call_id).call
    assert stored == replace(other, revision=2)
    assert Call.objects.get().source_sha256 == case().source.sha256
    assert not PhaseRow.objects.exists()
    again = revise(other, north)
    assert again.outcome.value == "unchanged"
    old = take(case(), north)
    assert old.outcome.value == "unchanged"
    assert "an earlier transcript" in old.sentence
    assert TranscriptRevision.objects.count() == 2


def test_a_new_revision_asks_for_its_own_pre_fill(north: Site) -> None:
    call_id = prefilled(case(), north)
    revise(changed(), north)
    assert state_of(call_id) == "PREFILLING"
    assert PrefillRun.objects.filter(call=call_id, state="QUEUED").count() == 1


def test_a_revision_of_a_call_that_is_not_there_is_refused(north: Site) -> None:
    with pytest.raises(UnableToImport, match="import it first"):
        revise(changed(), north)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("SIGNED", "the signature stands for the stored transcript. Import the file under another"),
        ("REOPENED", "its signature stands"),
        ("IN_REVIEW", "A reviewer is at work"),
        ("AWAITING_SECOND_READER", "second reader"),
        ("PREFILLING", "import the file again when it is done"),
        ("WITHDRAWN", "is withdrawn"),
    ],
)
def test_a_call_that_people_or_a_worker_have_in_hand_takes_no_other_bytes(
    state: str, sentence: str, north: Site
) -> None:
    call_id = prefilled(case(), north)
    Call.objects.filter(pk=call_id).update(state=state)
    with pytest.raises(UnableToImport, match=sentence):
        revise(changed(), north)
    assert (state_of(call_id), TranscriptRevision.objects.count()) == (state, 1)


def test_a_call_with_decided_rows_takes_no_other_bytes(north: Site) -> None:
    prefilled(case(), north)
    PhaseRow.objects.filter(phase="PID").update(touched_at=NOON)
    with pytest.raises(UnableToImport, match="People have decided rows"):
        revise(changed(), north)


def test_other_bytes_that_need_mapping_wait_for_it(north: Site) -> None:
    call_id = prefilled(case(), north)
    imported = revise(changed(call={"type": "other", "date": "2026-03-10"}), north)
    assert (imported.state, state_of(call_id)) == ("NEEDS_MAPPING", "NEEDS_MAPPING")
    assert "No catalog applies" in imported.sentence

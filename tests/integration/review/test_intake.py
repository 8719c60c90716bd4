"""Import of one call: stored sealed, found again, refused, or put aside for a person."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection

from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions.intake import ImportOutcome, Offer, UnableToImport, import_call
from review.actions.opening import UnableToOpen, open_for_review, work_on
from review.core.parsers import parse_calls
from review.core.transcript import Turn as TurnValue
from review.core.transcript.storing import transcript_digest
from review.models import Call, Turn
from review.permissions import NotAllowed
from tests.factories import (
    NOON,
    SHARED,
    case,
    make_person,
    make_site,
    prefilled,
    raw_micro,
    read,
    take,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("published")]

CASES = ("case_a_respiratory", "case_b_call", "case_micro")


def entry_kinds(call_id: UUID) -> list[str]:
    """Return the kinds of a call's entries, after verifying its chain."""
    assert verify(call_id) == []
    return [json.loads(entry.body)["type"] for entry in entries_of(call_id)]


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("name", CASES)
def test_what_was_read_is_what_is_read_back(name: str) -> None:
    call = case(name)
    imported = take(call)
    assert (imported.outcome, imported.state) == (ImportOutcome.CREATED, "PREFILLING")
    stored = work_on(call_id=imported.call_id).call
    assert stored == call
    assert transcript_digest(stored) == Call.objects.get().transcript_digest
    assert entry_kinds(imported.call_id) == ["genesis", "call.ingest", "prefill.queue"]


def test_the_same_bytes_again_double_nothing() -> None:
    first, again = take(case()), take(case())
    assert (again.call_id, again.outcome) == (first.call_id, ImportOutcome.UNCHANGED)
    assert Call.objects.count() == 1
    assert Turn.objects.count() == len(case().turns)
    assert entry_kinds(first.call_id) == ["genesis", "call.ingest", "prefill.queue"]


def test_other_bytes_under_the_same_key_are_refused() -> None:
    take(case())
    with pytest.raises(UnableToImport, match="is stored already with other content"):
        take(read(raw_micro(title="another title")))
    assert Call.objects.get().title == case().title


def test_the_same_id_at_another_site_is_another_call() -> None:
    assert take(case()).call_id != take(case(), make_site("south")).call_id


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"call": {"type": "unheard_of", "date": "2026-03-10"}}, "No catalog applies"),
        ({"call": {"type": "member_benefits"}}, "has no date"),
        ({"call": {"type": "member_benefits", "date": "2020-01-01"}}, "No version is in force"),
        ({"speakers": {"agent": {"role": "x"}, "patient": {"role": "patient"}}}, ""),
    ],
)
def test_what_a_person_must_settle_is_said(changes: dict[str, Any], sentence: str) -> None:
    imported = take(read(raw_micro(**changes)))
    assert sentence in imported.sentence
    stored = Call.objects.get()
    assert (stored.state == "NEEDS_MAPPING") == bool(stored.needs_mapping)
    assert bool(sentence) == (stored.state == "NEEDS_MAPPING")


def test_a_speaker_nobody_knows_needs_mapping() -> None:
    raw = raw_micro(speakers={"agent": {}, "who": {}})
    raw["turns"] = [
        {**turn, "speaker": turn["speaker"].replace("patient", "who")} for turn in raw["turns"]
    ]
    imported = take(read(raw))
    assert imported.state == "NEEDS_MAPPING"
    assert "'who'" in imported.sentence


def test_a_well_known_label_is_mapped_to_the_one_role_it_can_be() -> None:
    raw = raw_micro(speakers={"agent": {"role": "assistant"}, "patient": {"role": "user"}})
    imported = take(read(raw))
    assert imported.state == "PREFILLING"
    stored = work_on(call_id=imported.call_id).call
    assert {turn.role for turn in stored.turns} == {"agent", "patient"}


def test_turns_whose_order_is_in_doubt_need_mapping() -> None:
    raw = raw_micro()
    for turn in raw["turns"]:
        turn["t0"], turn["t1"] = 5, 6
    imported = take(read(raw))
    assert imported.state == "NEEDS_MAPPING"
    assert "in doubt" in imported.sentence


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> & \" ' hx-get=/calls/ {{ x }} {% y %}",
        "\u202eright to left\u202c \u200b \U0001f469\u200d\u2695\ufe0f e\u0301 \u0130\u00df",
        "",
        " \t\n ",
        "a\nb",
    ],
)
def test_text_comes_back_as_it_went_in(text: str) -> None:
    raw = raw_micro()
    raw["turns"][0]["text"] = text
    stored = work_on(call_id=take(read(raw)).call_id).call
    assert stored.turns[0].text == text


def test_a_call_that_cannot_be_stored_does_not_stop_the_others(north: Site) -> None:
    good, bad, last = raw_micro(id="good"), raw_micro(id="bad"), raw_micro(id="last")
    bad["turns"][0]["text"] = "half \ud83d of it"
    data = json.dumps({"format": "oip-calls/1", "calls": [good, bad, last]}).encode()
    result = parse_calls(data, name="three.json")
    assert [finding.code for _, finding in result.refused] == ["lone_surrogate"]
    for call in result.calls:
        take(call, north)
    assert set(Call.objects.values_list("external_id", flat=True)) == {"good", "last"}


def test_an_id_too_long_for_the_key_is_refused() -> None:
    with pytest.raises(UnableToImport, match="1 to 500 characters"):
        take(read(raw_micro(id="x" * 501)))


@pytest.mark.parametrize(
    "change",
    [
        lambda turn: replace(turn, number=2**31),
        lambda turn: replace(turn, start_ms=2**31),
        lambda turn: replace(turn, end_ms=2**31),
    ],
)
def test_numbers_no_column_holds_are_refused(change: Callable[[TurnValue], TurnValue]) -> None:
    call = case()
    with pytest.raises(UnableToImport, match="lies beyond"):
        take(replace(call, turns=(*call.turns[:-1], change(call.turns[-1]))))
    event = replace(call.events[0], at_ms=2**31)
    with pytest.raises(UnableToImport, match="lies beyond"):
        take(replace(call, events=(event,)))


def test_a_call_without_turns_is_refused() -> None:
    with pytest.raises(UnableToImport, match="no turns"):
        take(replace(case(), turns=(), events=()))


@pytest.mark.parametrize(
    ("role", "may"),
    [
        (Role.COMPLIANCE_OFFICER, True),
        (Role.SENIOR_REVIEWER, True),
        (Role.REVIEWER, False),
        (Role.AUDITOR, False),
        (Role.ADMINISTRATOR, False),
        (Role.CATALOG_AUTHOR, False),
    ],
)
def test_who_may_import(role: Role, may: bool, north: Site) -> None:
    user = make_person(role, site=north)
    if may:
        take(case(), north, by=user)
        assert Call.objects.get().received_by == user
    else:
        with pytest.raises(NotAllowed):
            take(case(), north, by=user)


def test_an_importer_of_one_site_is_nobody_at_another(north: Site) -> None:
    with pytest.raises(NotAllowed):
        take(case(), make_site("south"), by=make_person(Role.COMPLIANCE_OFFICER, site=north))


def test_an_opening_is_in_the_log_before_the_words_are_out(north: Site) -> None:
    call_id = take(case(), north).call_id
    reader = make_person(Role.REVIEWER, site=north)
    assert open_for_review(call_id=call_id, by=reader, at=NOON)[0] == case()
    assert entry_kinds(call_id)[-1] == "call.open"
    Call.objects.filter(pk=call_id).update(wrapped_key=b"")
    with pytest.raises(Exception, match="key"):
        open_for_review(call_id=call_id, by=reader, at=NOON)
    assert entry_kinds(call_id).count("call.open") == 2


@pytest.mark.parametrize("role", [Role.ADMINISTRATOR, Role.CATALOG_AUTHOR, None])
def test_who_is_not_of_the_site_opens_nothing(role: Role | None, north: Site) -> None:
    call_id = take(case(), north).call_id
    stranger = (
        make_person(Role.REVIEWER, site=make_site("south")) if role is None else make_person(role)
    )
    with pytest.raises(UnableToOpen, match="no such call"):
        open_for_review(call_id=call_id, by=stranger, at=NOON)
    with pytest.raises(UnableToOpen, match="no such call"):
        open_for_review(call_id=uuid4(), by=stranger, at=NOON)
    assert "call.open" not in entry_kinds(call_id)


def test_an_administrator_reads_no_call_whatever_else_they_are(north: Site) -> None:
    both = make_person(Role.ADMINISTRATOR, Role.REVIEWER, site=north)
    call_id = take(case(), north).call_id
    with pytest.raises(UnableToOpen):
        open_for_review(call_id=call_id, by=both, at=NOON)


def _everything_in_the_tables() -> str:
    """Return every value of every table of this database as text, the log's included."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select format('%I.%I', schemaname, tablename) from pg_tables"
            " where schemaname in ('public', 'audit')"
        )
        tables = [name for (name,) in cursor.fetchall()]
        found: list[str] = []
        for table in tables:
            cursor.execute("select t::text from " + table + " t")  # noqa: S608 - names from pg_tables
            found.extend(line for (line,) in cursor.fetchall())
    return "\n".join(found)


@pytest.mark.usefixtures("shipped")
def test_no_sentence_of_a_call_is_found_in_any_table() -> None:
    call = case("case_b_call")
    prefilled(call)
    raw = _everything_in_the_tables()
    assert call.title in raw
    words = [turn.text for turn in call.turns if len(turn.text) > 15]
    assert len(words) > 50
    for text in words:
        assert text not in raw
        # A bytea column is shown in hex.
        assert text.encode().hex() not in raw


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="the shared folder is not here")
def test_real_agent_trajectories_are_taken(north: Site) -> None:
    path = SHARED / "data" / "tau-bench" / "gpt-4o-airline.part.json"
    result = parse_calls(path.read_bytes(), name=path.name)
    assert len(result.calls) == 136
    taken = [
        import_call(
            site=north,
            offer=Offer(uuid4(), uuid4(), call, result.findings[:3]),
            by=None,
            at=NOON,
        )
        for call in result.calls
    ]
    assert {one.state for one in taken} == {"NEEDS_MAPPING"}
    assert Call.objects.count() == len({call.source.external_id for call in result.calls}) == 136
    last = result.calls[-1]
    assert work_on(call_id=taken[-1].call_id).call == last
    raw = _everything_in_the_tables()
    for call in result.calls[:3]:
        for turn in call.turns:
            assert len(turn.text) < 16 or turn.text not in raw
        for value in (value for event in call.events for value in event.args.values()):
            assert not isinstance(value, str) or len(value) < 8 or value not in raw

"""What the tables refuse to the application role, and what the models refuse by constraint."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from oipsce_site.people.roles import Role
from review.actions.decisions import decide
from review.actions.mapping import send_to_mapping
from review.core.decisions import Ask, Kind, Standing
from review.core.lifecycle import SENTENCES, TRANSITIONS, CallState, Owner, may_move
from review.core.predicates import Outcome
from review.core.rows import Verdict
from review.core.transcript import EventSource, TurnKind
from review.models import (
    DecisionKind,
    EventSourceCode,
    OutcomeCode,
    PhaseRow,
    StandingCode,
    State,
    TurnKindCode,
    VerdictCode,
)
from tests.factories import NOON, case, make_person, prefilled, take

REFUSED = [
    "update review_turn set role = 'agent'",
    "update review_turn set sealed = ''",
    "delete from review_turn",
    "update review_event set ok = true",
    "delete from review_event",
    "update review_proposedrow set verdict = 'FAIL'",
    "delete from review_proposedrow",
    "update review_evaluation set call_success = 'PASS', order_safe = 'PASS'",
    "update review_evaluation set report = '{}'",
    "delete from review_evaluation",
    "update review_evidencecommitment set commitment = repeat('0', 64)",
    "delete from review_evidencecommitment",
    "update review_prefillrun set state = 'QUEUED', finished_at = null",
    "update review_prefillrun set catalog_digest = repeat('0', 64)",
    "delete from review_prefillrun",
    "update review_transcriptrevision set transcript_digest = repeat('0', 64)",
    "delete from review_transcriptrevision",
    "update review_callnote set sealed = ''",
    "delete from review_callnote",
    "update review_decision set value = '{}'",
    "update review_decision set sealed = '', sealed_nonce = ''",
    "delete from review_decision",
    "update review_call set external_id = 'other'",
    "update review_call set source_sha256 = repeat('0', 64)",
    "delete from review_call",
]


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogs")
def test_the_application_cannot_change_what_is_kept() -> None:
    call_id = prefilled(case())
    comment = Ask(Kind.COMMENT, "PID", reason="why")
    decide(
        call_id=call_id,
        decision=comment,
        expected_revision=1,
        key=uuid4(),
        by=make_person(Role.REVIEWER),
        at=NOON,
    )
    mapper = make_person(Role.COMPLIANCE_OFFICER)
    send_to_mapping(call_id=call_id, reason="wrong date", by=mapper, at=NOON)
    survived = [statement for statement in REFUSED if not _is_refused(statement)]
    assert survived == []


def _is_refused(statement: str) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
            # A statement that meets no row is refused by nothing and proves nothing.
            assert cursor.rowcount > 0
    except DatabaseError as error:
        return any(
            words in str(error) for words in ("append-only", "does not change", "never deleted")
        )
    return False


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogs")
@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"start_turn": None}, "phaserow_start_turn_iff_turn"),
        ({"start_state": "NEVER"}, "phaserow_start_turn_iff_turn"),
        ({"finish_turn": None}, "phaserow_finish_turn_iff_turn"),
        ({"finish_state": "UNKNOWN", "finish_turn": None}, "phaserow_pass_has_finish"),
        ({"start_turn": 90}, "phaserow_start_before_finish"),
        ({"verdict": "MAYBE"}, "phaserow_codes_known"),
        ({"required": ""}, "phaserow_codes_known"),
        ({"standing": "CONFIRMED"}, "phaserow_decided_by_somebody"),
    ],
)
def test_rows_that_make_no_sense_are_refused(values: dict[str, Any], constraint: str) -> None:
    prefilled(case())
    row = PhaseRow.objects.filter(phase="CSV")
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        row.update(**values)


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogs")
def test_a_volunteered_row_may_finish_before_it_starts() -> None:
    prefilled(case())
    assert PhaseRow.objects.filter(phase="CSV").update(start_turn=90, volunteered=True) == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogs")
@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ("state = 'NEEDS_MAPPING'", "call_sentence_iff_needs_mapping"),
        ("needs_mapping = 'a sentence'", "call_sentence_iff_needs_mapping"),
        ("state = 'PREFILLING', catalog_version_id = null", "call_judged_has_catalog"),
        ("state = 'ELSEWHERE'", "call_state_known"),
        ("transcript_digest = 'x'", "call_digests_form"),
        ("revision = 0", "call_revision_counts"),
        ("transcript_revision = 0", "call_transcript_revision_counts"),
    ],
)
def test_calls_that_make_no_sense_are_refused(values: str, constraint: str) -> None:
    take(case())
    refused = pytest.raises(IntegrityError, match=constraint)
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("update review_call set " + values)  # noqa: S608 - from the table above


def test_codes_of_the_tables_are_the_cores() -> None:
    assert set(State.values) == {state.value for state in CallState} == {s.name for s in CallState}
    assert set(DecisionKind.values) == {kind.value for kind in Kind} == {k.name for k in Kind}
    assert set(StandingCode.values) == {standing.value for standing in Standing}
    assert set(TurnKindCode.values) == {kind.name for kind in TurnKind}
    assert set(EventSourceCode.values) == {source.name for source in EventSource}
    assert set(OutcomeCode.values) == {outcome.value.upper() for outcome in Outcome}
    assert set(VerdictCode.values) == {verdict.value.upper() for verdict in Verdict}


def test_every_state_is_reached_and_has_a_sentence() -> None:
    assert {move.target for move in TRANSITIONS} | {CallState.RECEIVED} == set(CallState)
    assert set(SENTENCES) == set(CallState)
    assert not any(move.source is CallState.WITHDRAWN for move in TRANSITIONS)
    assert may_move(CallState.RECEIVED, CallState.PREFILLING, Owner.PREFILL)
    assert not may_move(CallState.RECEIVED, CallState.SIGNED, Owner.SIGNING)

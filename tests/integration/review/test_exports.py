"""An export from the wish to the verified file: who may, what is logged, what is never served."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import Error, OperationalError, connection, transaction
from pytest_django import Settings

from oipsce_site.ledger.core.chain import read_body, verify_chain
from oipsce_site.ledger.queries import entries_of
from oipsce_site.ledger.queries import entries_up_to as read_entries
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from oipsce_site.signing.core.refusals import Refused
from oipsce_site.signing.store import open_store
from review.actions import exports
from review.actions.audit_files import call_files
from review.actions.decisions import decide
from review.actions.export_orders import UnableToExport
from review.actions.exports import (
    Wish,
    approve_export,
    claim_export,
    decline_export,
    fetch_export,
    request_export,
)
from review.actions.mapping import confirm_mapping, send_to_mapping
from review.core.audit.names import Profile
from review.core.decisions import Ask, Kind, PointValue
from review.core.signoff.record import Assurance
from review.core.transcript import NOT_READ
from review.core.verify.bundle import Asked, Verified, verify_audit
from review.models import AuditExport, Call, ExportState, PhaseRow, PrefillRun, ProfileCode, SignOff
from review.permissions import NotAllowed
from review.queries.exports import list_fetches
from review.tasks import export_waiting, prefill_waiting, seal_log
from tests.factories import (
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
    read_as,
)
from tests.signed import confirm_rows, sign_stored
from tests.unit.review.audit.spoiling import files_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def keys(settings: Settings, tmp_path: Path) -> None:
    settings.SIGNING_KEY_DIR = str(tmp_path / "signing")
    settings.SIGNING_KEYS_AUTOCREATE = True


@pytest.fixture
def officer() -> User:
    return make_person(Role.COMPLIANCE_OFFICER, Role.AUDITOR)


@pytest.fixture
def signed() -> UUID:
    """Return a signed call of the site, beside one that nobody signed."""
    publish(catalog_source("micro"))
    call_id = prefilled(case("case_micro"))
    reviewer = make_person(Role.SENIOR_REVIEWER)
    confirm_rows(call_id, reviewer)
    sign_stored(call_id, reviewer)
    return call_id


def now() -> datetime:
    return datetime.now(UTC)


def wish(profile: ProfileCode = ProfileCode.FULL, **changes: Any) -> Wish:
    given = {"recipient": "State board", "purpose": "Inspection of 2026", **changes}
    return Wish(profile=profile, **given)


def ask(officer: User, asked: Wish | None = None) -> UUID:
    export_id = uuid4()
    asked = asked or wish()
    request_export(export_id=export_id, site=make_site(), wish=asked, by=officer, at=now())
    if asked.profile is ProfileCode.FULL:
        approve_export(export_id=export_id, by=second_officer(), at=now())
    return export_id


def second_officer() -> User:
    """Return another officer of the site, the same one each time."""
    known = User.objects.filter(username="second-officer").first()
    return known or make_person(Role.COMPLIANCE_OFFICER, username="second-officer")


def fetched(export_id: UUID, by: User) -> bytes:
    return b"".join(fetch_export(export_id=export_id, by=by, at=now()))


def verified(data: bytes) -> Verified:
    root_id = open_store(at=now()).root_id()
    return verify_audit(io.BytesIO(data), Asked(root_id, now()))


def kinds(chain: UUID) -> list[str]:
    return [str(read_body(entry.body)["type"]) for entry in entries_of(chain)]


@pytest.mark.parametrize("profile", ProfileCode)
def test_a_signed_call_is_exported_and_verifies(
    officer: User, signed: UUID, profile: ProfileCode
) -> None:
    export_id = ask(officer, wish(profile))
    export_waiting()
    export = AuditExport.objects.get(pk=export_id)
    assert (export.state, export.failure, export.calls, export.calls_done) == ("DONE", "", 1, 1)
    found = verified(fetched(export_id, officer))
    assert found.profile is Profile[profile]
    call = Call.objects.get(pk=signed)
    [verdict] = found.verdicts
    assert verdict.is_derived
    assert verdict.call_success == str(call.call_success).lower()
    if profile is not ProfileCode.DEIDENTIFIED:
        assert verdict.call == str(signed)
        assert found.count(Assurance.SIGNER_KEY) == 1


def test_what_was_done_is_in_the_log(officer: User, signed: UUID) -> None:
    export_id = ask(officer)
    export_waiting()
    fetched(export_id, officer)
    assert kinds(make_site().pk)[-5:] == [
        "audit.request",
        "audit.approve",
        "audit.build",
        "audit.export",
        "audit.fetch",
    ]
    assert kinds(signed)[-1] == "call.disclose"
    bodies = [entry.body for entry in entries_of(make_site().pk)]
    assert not any(b"State board" in body or b"Inspection" in body for body in bodies)


def test_the_same_record_builds_the_same_file(officer: User, signed: UUID) -> None:
    """Built again from what the record holds: checkpoint, time, calls and their chains."""
    export_id = ask(officer)
    export_waiting()
    first = fetched(export_id, officer)
    export = AuditExport.objects.get(pk=export_id)
    members = files_of(first)
    record = json.loads(members[f"calls/{signed}/record.json"])
    lines = members[f"calls/{signed}/chain.jsonl"].splitlines()
    last = max(json.loads(line)["seq"] for line in lines)
    [again] = call_files({signed: last})
    assert again.transcript == members[f"calls/{signed}/transcript.json"]
    assert again.signoffs[0].assertion is not None
    assert len(again.decisions) == len(record["decisions"]) == 1
    assert export.bytes == len(first)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (wish(first_date=date(2100, 1, 1)), "other_date"),
        (wish(last_date=date(1999, 1, 1)), "other_date"),
        (wish(catalog="other"), "other_catalog"),
        (wish(verdict="PASS"), "other_verdict"),
        (wish(verdict="FAIL"), "included"),
    ],
)
def test_what_is_left_out_is_counted(officer: User, signed: UUID, asked: Wish, why: str) -> None:
    export_id = ask(officer, asked)
    export_waiting()
    universe = verified(fetched(export_id, officer)).predicate["universe"]
    assert universe[why] == 1
    assert sum(universe.values()) == 1


def test_an_unsigned_call_is_left_out_with_its_reason(officer: User) -> None:
    publish(catalog_source("micro"))
    prefilled(case("case_micro"))
    export_id = ask(officer)
    export_waiting()
    assert verified(fetched(export_id, officer)).predicate["universe"]["not_signed"] == 1


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.SENIOR_REVIEWER, Role.AUDITOR])
def test_only_compliance_officers_ask(role: Role) -> None:
    with pytest.raises(NotAllowed):
        ask(make_person(role))


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (wish(recipient="  "), "who receives"),
        (wish(purpose=""), "what for"),
        (wish(first_date=date(2026, 2, 2), last_date=date(2026, 2, 1)), "first day"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused(officer: User, asked: Wish, sentence: str) -> None:
    with pytest.raises(UnableToExport, match=sentence):
        ask(officer, asked)
    assert not AuditExport.objects.exists()


def test_a_file_is_fetched_by_people_of_the_site_alone(officer: User, signed: UUID) -> None:
    export_id = ask(officer)
    with pytest.raises(UnableToExport, match="no such file"):
        fetched(export_id, officer)
    export_waiting()
    stranger = make_person(Role.COMPLIANCE_OFFICER, site=make_site("south"))
    for person in (stranger, make_person(Role.REVIEWER), make_person(Role.ADMINISTRATOR)):
        with pytest.raises(UnableToExport, match="no such file"):
            fetched(export_id, person)
    assert fetched(export_id, make_person(Role.AUDITOR))


def test_what_is_stored_is_sealed(officer: User, signed: UUID) -> None:
    export_id = ask(officer)
    export_waiting()
    pieces = AuditExport.objects.get(pk=export_id).pieces.all()
    assert pieces
    assert not any(b"manifest" in bytes(piece.sealed) for piece in pieces)


def test_a_builder_that_dies_leaves_nothing_to_fetch_and_the_next_one_ends_it(
    officer: User, signed: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_id = ask(officer)

    def die(*_: object, **__: object) -> Iterator[object]:
        raise MemoryError

    with monkeypatch.context() as broken:
        broken.setattr("review.tasks.exports.call_files", die)
        export_waiting()
    export = AuditExport.objects.get(pk=export_id)
    assert (export.state, export.failure) == (ExportState.QUEUED, "MemoryError")
    with pytest.raises(UnableToExport):
        fetched(export_id, officer)
    export_waiting()
    assert verified(fetched(export_id, officer)).verdicts


def test_f20_without_a_key_nothing_unsigned_leaves_and_a_person_is_told(
    officer: User, signed: UUID, settings: Settings
) -> None:
    settings.SIGNING_KEYS_AUTOCREATE = False
    export_id = ask(officer)
    for _ in range(4):
        export_waiting()
    export = AuditExport.objects.get(pk=export_id)
    assert export.state == ExportState.FAILED
    assert "signing_keys create" in export.failure
    assert not export.pieces.exists()
    # People sign without the installation's keys.
    other = prefilled(read(raw_micro(id="other")))
    assert sign_stored(other, make_person(Role.SENIOR_REVIEWER)).void_at is None


def test_a_lost_lease_is_taken_over_and_the_late_worker_stores_nothing(
    officer: User, signed: UUID
) -> None:
    export_id = ask(officer)
    assert claim_export(by="w", at=now()) == export_id
    assert claim_export(by="w", at=now()) is None
    assert claim_export(by="w", at=now() + timedelta(minutes=5)) == export_id
    exports.fail_export(export_id=export_id, attempt=1, failure="late", by="w", at=now())
    assert AuditExport.objects.get(pk=export_id).state == ExportState.RUNNING


class DiskFull(OperationalError):
    """What PostgreSQL says when no block is left."""


def test_f19_a_full_disk_half_way_leaves_nothing_to_fetch(
    officer: User, signed: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_id = ask(officer)
    keep = exports.keep_pieces

    def keep_one(**given: Any) -> None:
        if given["first"]:
            raise DiskFull
        keep(**given)

    with monkeypatch.context() as full:
        full.setattr("review.tasks.exports.PIECE", 20_000)
        full.setattr("review.tasks.exports.keep_pieces", keep_one)
        export_waiting()
    export = AuditExport.objects.get(pk=export_id)
    assert (export.state, export.failure) == (ExportState.QUEUED, "DiskFull")
    assert export.pieces.exists()
    with pytest.raises(UnableToExport):
        fetched(export_id, officer)
    export_waiting()
    assert verified(fetched(export_id, officer)).verdicts
    assert set(export.pieces.values_list("attempt", flat=True)) == {2}
    assert kinds(make_site().pk).count("audit.export") == 1


def test_f26_what_other_sites_and_this_one_take_in_meanwhile_changes_no_proof(
    officer: User, signed: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    south = make_site("south")
    export_id = ask(officer)

    def take_in(*given: Any) -> Any:
        for number in range(3):
            prefilled(read(raw_micro(id=f"s{number}")), south)
        prefilled(read(raw_micro(id="n1")))
        seal_log()
        return call_files(*given)

    monkeypatch.setattr("review.tasks.exports.call_files", take_in)
    export_waiting()
    data = fetched(export_id, officer)
    found = verified(data)
    assert found.predicate["universe"]["included"] == sum(found.predicate["universe"].values()) == 1
    chains = {line[0] for line in json.loads(files_of(data)["proofs/heads.json"])["heads"]}
    assert chains == {str(signed), str(make_site().pk)}


def test_f28_a_call_whose_chain_was_altered_is_not_exported_and_others_are(
    officer: User, signed: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a flipped bit leaves, as the query would read it: the table itself refuses."""
    stored = read_entries({signed: 99})[signed]
    flipped = bytearray(stored[2].body)
    flipped[len(flipped) // 2] ^= 1
    spoilt = [*stored[:2], replace(stored[2], body=bytes(flipped)), *stored[3:]]
    assert "LOG-E005" in {one.code for one in verify_chain(signed, spoilt)}
    assert {one.seq for one in verify_chain(signed, spoilt)} == {2}
    monkeypatch.setattr("review.actions.audit_files.entries_up_to", lambda _: {signed: spoilt})
    export_id = ask(officer)
    export_waiting()
    failure = AuditExport.objects.get(pk=export_id).failure
    assert f"call {signed}" in failure
    assert "LOG-E005 at entry 2" in failure
    without = ask(officer, wish(verdict="PASS"))
    AuditExport.objects.filter(pk=export_id).update(state=ExportState.FAILED)
    export_waiting()
    assert AuditExport.objects.get(pk=without).state == ExportState.DONE


@pytest.mark.parametrize("change", [{"digest": "0" * 64}, {"record": b"x"}, {"number": 9}])
def test_what_was_signed_does_not_change(signed: UUID, change: dict[str, Any]) -> None:
    with pytest.raises(Error, match="does not change"), transaction.atomic():
        SignOff.objects.filter(call=signed).update(**change)


def test_a_signature_is_never_deleted(signed: UUID) -> None:
    # As the application's role, past what the ORM itself would refuse.
    delete = "DELETE FROM review_signoff WHERE call_id = %s"
    refusal = pytest.raises(Error, match="never deleted")
    with refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(delete, [signed])


# --- what was decided before it was signed --------------------------------------------------------


def decided(call_id: UUID, by: User, asked: Ask) -> None:
    row = PhaseRow.objects.get(call=call_id, phase=asked.phase)
    decide(
        call_id=call_id,
        decision=asked,
        expected_revision=row.revision,
        key=uuid4(),
        by=by,
        at=now(),
    )


def changed_call(by: User) -> UUID:
    """Return a call one of whose rows a person has set otherwise, and then confirmed."""
    publish(catalog_source("benefits_verification"))
    call_id = prefilled(case("case_b_call"))
    row = PhaseRow.objects.filter(call=call_id, verdict="PASS").order_by("position")[0]
    assert row.finish_turn is not None
    change = Ask(Kind.SET_FINISH, row.phase, value=PointValue(row.finish_turn + 1), reason="later")
    decided(call_id, by, change)
    decided(call_id, by, Ask(Kind.COMMENT, row.phase, reason="=looked twice"))
    decided(call_id, by, Ask(Kind.CONFIRM, row.phase))
    return call_id


def test_a_call_that_people_changed_is_exported_as_they_left_it(officer: User) -> None:
    reviewer = make_person(Role.SENIOR_REVIEWER)
    call_id = changed_call(reviewer)
    sign_stored(call_id, reviewer)
    export_id = ask(officer)
    export_waiting()
    data = fetched(export_id, officer)
    assert verified(data).verdicts[0].is_derived
    record = json.loads(files_of(data)[f"calls/{call_id}/record.json"])
    assert [one["kind"] for one in record["decisions"]] == ["SET_FINISH", "COMMENT", "CONFIRM"]
    assert {one["reason"] for one in record["decisions"] if "reason" in one} == {
        "later",
        "=looked twice",
    }


def test_a_row_that_is_changed_under_a_signature_is_found(officer: User) -> None:
    """As no action allows: the signature is not ended, and the verifier says so."""
    reviewer = make_person(Role.SENIOR_REVIEWER)
    call_id = changed_call(reviewer)
    sign_stored(call_id, reviewer)
    Call.objects.filter(pk=call_id).update(state="IN_REVIEW")
    phase = PhaseRow.objects.filter(call=call_id).order_by("position")[0].phase
    decided(call_id, reviewer, Ask(Kind.CONFIRM, phase))
    Call.objects.filter(pk=call_id).update(state="SIGNED")
    export_id = ask(officer)
    export_waiting()
    with pytest.raises(Refused) as refusal:
        verified(fetched(export_id, officer))
    assert refusal.value.code == "E-SIGN-STALE"


def test_a_call_read_again_after_decisions_is_signed_as_it_is_then(officer: User) -> None:
    """A second pre-fill evaluates once more with the decisions; the log tells of that one."""
    reviewer = make_person(Role.SENIOR_REVIEWER)
    call_id = changed_call(reviewer)
    send_to_mapping(call_id=call_id, reason="another voice", by=reviewer, at=now())
    speakers = {"agent": "rep", "rep": "agent", "rep2": "agent", "ivr": NOT_READ, "hold": NOT_READ}
    reading = read_as(speakers, remember=False)
    confirm_mapping(call_id=call_id, reading=reading, run_id=uuid4(), by=reviewer, at=now())
    prefill_waiting()
    assert PrefillRun.objects.filter(call=call_id, state="DONE").count() == 2
    Call.objects.filter(pk=call_id).update(state="IN_REVIEW")
    sign_stored(call_id, reviewer)
    export_id = ask(officer)
    export_waiting()
    assert verified(fetched(export_id, officer)).verdicts[0].is_derived


# --- a second person for a full audit -------------------------------------------------------------


def asked_full(officer: User) -> UUID:
    export_id = uuid4()
    request_export(export_id=export_id, site=make_site(), wish=wish(), by=officer, at=now())
    return export_id


def test_a_full_audit_is_not_built_before_a_second_person_approved(
    officer: User, signed: UUID
) -> None:
    export_id = asked_full(officer)
    export_waiting()
    assert AuditExport.objects.get(pk=export_id).state == ExportState.ASKED
    approve_export(export_id=export_id, by=second_officer(), at=now())
    export_waiting()
    found = verified(fetched(export_id, officer))
    assert found.predicate["approved_by"] == second_officer().printed_name
    assert kinds(make_site().pk)[-4:] == [
        "audit.approve",
        "audit.build",
        "audit.export",
        "audit.fetch",
    ]


@pytest.mark.parametrize("profile", [ProfileCode.MINIMUM, ProfileCode.DEIDENTIFIED])
def test_other_audits_need_no_second_person(officer: User, profile: ProfileCode) -> None:
    export_id = ask(officer, wish(profile))
    assert AuditExport.objects.get(pk=export_id).state == ExportState.QUEUED
    with pytest.raises(UnableToExport, match="no second person any more"):
        approve_export(export_id=export_id, by=second_officer(), at=now())


def test_whoever_asked_cannot_approve_and_may_take_it_back(officer: User) -> None:
    export_id = asked_full(officer)
    with pytest.raises(NotAllowed, match="You asked for this audit yourself"):
        approve_export(export_id=export_id, by=officer, at=now())
    decline_export(export_id=export_id, by=officer, at=now())
    export = AuditExport.objects.get(pk=export_id)
    assert (export.state, export.approved_by) == (ExportState.FAILED, None)


def test_an_auditor_or_another_sites_officer_approves_nothing(officer: User) -> None:
    export_id = asked_full(officer)
    with pytest.raises(NotAllowed):
        approve_export(export_id=export_id, by=make_person(Role.AUDITOR), at=now())
    elsewhere = make_person(Role.COMPLIANCE_OFFICER, site=make_site("south"))
    with pytest.raises(UnableToExport, match="no such audit"):
        approve_export(export_id=export_id, by=elsewhere, at=now())


def test_the_database_knows_nobody_who_approves_their_own(officer: User) -> None:
    export_id = asked_full(officer)
    with pytest.raises(Error), transaction.atomic():
        AuditExport.objects.filter(pk=export_id).update(approved_by=officer, approved_at=now())


def test_each_fetching_is_kept_with_who_and_when(officer: User, signed: UUID) -> None:
    export_id = ask(officer)
    export_waiting()
    fetched(export_id, officer)
    fetched(export_id, second_officer())
    assert [one.by for one in list_fetches(export_id)] == [
        second_officer().printed_name,
        officer.printed_name,
    ]

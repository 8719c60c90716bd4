"""Every action leaves its entry in the decision log: one table, and no action may be missing."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from uuid import uuid4

import pytest

import catalogs.actions
import oipsce_site.administration.actions
import review.actions
from catalogs.actions.calibration import waive_calibration
from catalogs.actions.versions import publish_version, retire_version, submit_version
from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.queries import chain_ids, entries_of, verify
from oipsce_site.people.roles import Role
from review.actions.confirming import confirm_rows
from review.actions.decisions import decide
from review.actions.rebuilding import rebuild_rows
from review.actions.undoing import redo_last, undo_last
from review.core.decisions import Ask, Kind
from review.models import Decision as StoredDecision
from review.models import PhaseRow
from tests.factories import (
    NOON,
    case,
    catalog_source,
    draft,
    in_review,
    make_person,
    prefilled,
    publish,
    rehearsed,
)
from tests.integration.administration.acts import ADMINISTRATION, PARTS_OF_ADMINISTRATION
from tests.integration.api.acts import API, PARTS_OF_API
from tests.integration.review.adjudication_acts import ADJUDICATION, PARTS_OF_ADJUDICATION
from tests.integration.review.calibration_acts import CALIBRATION, PARTS_OF_CALIBRATION
from tests.integration.review.candidate_acts import CANDIDATES, PARTS_OF_CANDIDATES
from tests.integration.review.compliance_acts import COMPLIANCE, PARTS_OF_COMPLIANCE
from tests.integration.review.export_acts import EXPORTS
from tests.integration.review.intake_acts import INTAKE
from tests.integration.review.promotion_acts import PARTS_OF_PROMOTION, PROMOTION
from tests.integration.review.queue_acts import PARTS_OF_QUEUE, QUEUE
from tests.integration.review.reading_acts import PARTS_OF_READINGS, READINGS
from tests.integration.review.retention_acts import RETENTION
from tests.integration.review.signing_acts import SIGNING
from tests.integration.review.studio_acts import PARTS_OF_STUDIO, STUDIO
from tests.integration.review.trial_acts import PARTS_OF_TRIALS, TRIALS
from tests.integration.review.what_if_acts import PARTS_OF_WHAT_IFS, WHAT_IFS

Act = Callable[[], object]


def _submit() -> Act:
    author = make_person(Role.CATALOG_AUTHOR)
    version_id = draft(catalog_source("micro"), author)
    return lambda: submit_version(version_id=version_id, by=author, at=NOON)


def _draft() -> Act:
    author = make_person(Role.CATALOG_AUTHOR)
    return lambda: draft(catalog_source("micro"), author)


def _waive() -> Act:
    version_id = draft(catalog_source("micro"), make_person(Role.CATALOG_AUTHOR))
    approver = make_person(Role.CATALOG_APPROVER)
    return lambda: waive_calibration(
        version_id=version_id, report_id=uuid4(), reason="why", by=approver, at=NOON
    )


def _rehearse() -> Act:
    source = catalog_source("micro")
    version_id = draft(source, make_person(Role.CATALOG_AUTHOR))
    return lambda: rehearsed(version_id, source)


def _publish() -> Act:
    approver = make_person(Role.CATALOG_APPROVER)
    source = catalog_source("micro")
    version_id = in_review(source, make_person(Role.CATALOG_AUTHOR), approver)
    return lambda: publish_version(version_id=version_id, by=approver, at=NOON)


def _retire() -> Act:
    approver = make_person(Role.CATALOG_APPROVER)
    version_id = publish(catalog_source("micro"), None, approver)
    last_day = date(2027, 1, 1)
    return lambda: retire_version(version_id=version_id, last_day=last_day, by=approver, at=NOON)


def _decide() -> Act:
    publish(catalog_source("micro"))
    call_id, by = prefilled(case()), make_person(Role.REVIEWER)
    asked = Ask(Kind.CONFIRM, "PID")
    return lambda: decide(
        call_id=call_id, decision=asked, expected_revision=1, key=uuid4(), by=by, at=NOON
    )


def _confirm_together() -> Act:
    publish(catalog_source("benefits_verification"))
    call_id, by = prefilled(case("case_b_call")), make_person(Role.REVIEWER)
    rows = {"CRN": 1}
    return lambda: confirm_rows(call_id=call_id, revisions=rows, key=uuid4(), by=by, at=NOON)


def _undo() -> Act:
    publish(catalog_source("micro"))
    call_id, by = prefilled(case()), make_person(Role.REVIEWER)
    asked = Ask(Kind.CONFIRM, "PID")
    decide(call_id=call_id, decision=asked, expected_revision=1, key=uuid4(), by=by, at=NOON)
    return lambda: undo_last(call_id=call_id, key=uuid4(), by=by, at=NOON)


def _redo() -> Act:
    undo = _undo()
    undo()
    last = StoredDecision.objects.select_related("by").get(kind="UNDO")
    return lambda: redo_last(call_id=last.call_id, key=uuid4(), by=last.by, at=NOON)


def _rebuild() -> Act:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    PhaseRow.objects.filter(phase="PID").update(position=9)
    return lambda: rebuild_rows(call_id=call_id, by="w", at=NOON)


ACTIONS: dict[str, tuple[str, Callable[[], Act]]] = {
    "create_draft": ("version.draft", _draft),
    "submit_version": ("version.submit", _submit),
    "waive_calibration": ("calibration.waive", _waive),
    "publish_version": ("version.publish", _publish),
    "store_rehearsal": ("rehearsal.store", _rehearse),
    "retire_version": ("version.retire", _retire),
    **STUDIO,
    "decide": ("row.decide", _decide),
    "confirm_rows": ("row.decide", _confirm_together),
    "undo_last": ("row.decide", _undo),
    "redo_last": ("row.decide", _redo),
    "rebuild_rows": ("rows.rebuild", _rebuild),
    **QUEUE,
    **ADMINISTRATION,
    **INTAKE,
    **READINGS,
    **SIGNING,
    **RETENTION,
    **EXPORTS,
    **CALIBRATION,
    **COMPLIANCE,
    **API,
    **TRIALS,
    **WHAT_IFS,
    **ADJUDICATION,
    **CANDIDATES,
    **PROMOTION,
}


def chain_kinds(entries: list[Entry]) -> list[str]:
    """Return the kinds of entries, geneses left out."""
    return [kind for entry in entries if (kind := json.loads(entry.body)["type"]) != "genesis"]


def logged() -> list[str]:
    """Return the kinds of every entry there is, after verifying every chain."""
    assert [chain for chain in chain_ids() if verify(chain)] == []
    return [kind for chain in chain_ids() for kind in chain_kinds(list(entries_of(chain)))]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_leaves_its_entry(name: str) -> None:
    kinds, prepare = ACTIONS[name]
    act = prepare()
    before = Counter(logged())
    act()
    added = Counter(logged()) - before
    # A new call's chain and a site's first entry have a genesis as well, which is nobody's act.
    assert sorted(added.elements()) == kinds.split()


#: Public functions beside the actions: each is called by one, and its entry stands for both.
PARTS = {
    **PARTS_OF_STUDIO,
    **PARTS_OF_TRIALS,
    **PARTS_OF_WHAT_IFS,
    **PARTS_OF_ADJUDICATION,
    **PARTS_OF_CANDIDATES,
    **PARTS_OF_PROMOTION,
    "check_can_store": "import_call",
    "importing_actor": "import_call",
    "load_by_key": "import_call",
    "answer_unchanged": "import_call",
    "transcript_columns": "import_call",
    "store_first_transcripts": "import_call",
    "drop_rows": "confirm_mapping",
    "clear_line": "confirm_mapping",
    "add_revision": "swap_speakers",
    "lock_call": "swap_speakers",
    "remember_roles": "confirm_mapping",
    "run_of": "read_again",
    "requeue": "read_again",
    "check_reason": "withdraw_call",
    "seal_note": "withdraw_call",
    "unseal_notes": "open_for_mapping",
    "slot": "import_call",
    "copy_turns": "import_call",
    "first_words": "import_call",
    "copy_events": "import_call",
    "work_on": "store_prefill",
    "work_on_all": "store_prefill",
    "queue_runs": "import_call",
    "import_calls": "import_call",
    "import_portion": "import_call",
    "store_portion": "import_call",
    "open_files": "import_call",
    # Bookkeeping of a job: who holds it. What is done in it has its entries.
    "claim_prefills": "store_prefill",
    "renew_claims": "store_prefill",
    "claim_batch": "finish_batch",
    "release_batch": "finish_batch",
    "note_beat": "store_prefill",
    "forget_old_beats": "store_prefill",
    "store_evaluations": "store_prefill",
    "store_proposals": "store_prefill",
    "write_line": "store_prefill",
    "project_rows": "store_prefill",
    "row_columns": "store_prefill",
    "refold": "store_prefill",
    "judge_folded": "decide",
    "store_folded": "decide",
    "project_folded": "decide",
    "seal_words": "decide",
    "unseal_words": "open_for_review",
    "open_decided": "open_for_review",
    # After an entry of its own: the decision's.
    "open_taken": "decide",
    "differing_rows": "rebuild_rows",
    "signing_content": "sign_call",
    "current_evaluation": "sign_call",
    "evidence_of": "sign_call",
    "evidence_of_all": "finish_export",
    "seal_inputs": "begin_signing",
    "unseal_inputs": "sign_call",
    "unseal_input_values": "sign_call",
    "lock_to_sign": "sign_call",
    "read_review": "sign_call",
    "read_to_sign": "begin_signing",
    "read_ready": "begin_signing_batch",
    "lock_to_erase": "approve_erasure",
    "erase_call": "approve_erasure",
    # The list of erased calls: a file beside the database.
    "erasure_list": "approve_erasure",
    "remember_erasures": "approve_erasure",
    "remembered_erasures": "erase_again",
    "other_hold": "begin_signing",
    "own_assertion": "sign_call",
    "check_looked_at": "begin_signing",
    "begin_by_passkey": "begin_signing",
    "attest": "sign_attested",
    "fix_record": "begin_signing",
    "sign_fixed": "sign_call",
    "what_changed": "sign_call",
    "end_signature": "decide",
    "keep_signed_line": "sign_call",
    "nonces_of": "store_prefill",
    "nonces_of_calls": "store_prefill",
    "sealer_of": "open_for_review",
    "unseal_call": "open_for_review",
    "unseal_calls": "open_for_review",
    **PARTS_OF_QUEUE,
    **PARTS_OF_CALIBRATION,
    **PARTS_OF_READINGS,
    "begin_building": "finish_export",
    "keep_pieces": "finish_export",
    "call_files": "finish_export",
    "catalog_files": "finish_export",
    "erased_ends": "finish_export",
    # Reads our own sources, no row.
    "program": "finish_export",
    # Reads what is installed, no row.
    "list_software": "finish_export",
    # Reads public keys and our own sources.
    "load_pack": "finish_export",
    **PARTS_OF_ADMINISTRATION,
    **PARTS_OF_COMPLIANCE,
    **PARTS_OF_API,
}


#: Who fails to sign in is nobody yet.
BY_NOBODY = {"fail_attempt"}


def test_no_action_is_missing_from_the_table() -> None:
    actions = set()
    for function in _public_functions():
        parameters = inspect.signature(function).parameters
        if function.__name__ in PARTS:
            assert PARTS[function.__name__] in ACTIONS
            assert "by" not in parameters, f"{function.__name__} acts for somebody: it is an action"
            continue
        actions.add(function.__name__)
        acting = {"at"} if function.__name__ in BY_NOBODY else {"by", "at"}
        assert acting <= set(parameters), function.__name__
        kinds = {parameter.kind for parameter in parameters.values()}
        assert kinds == {inspect.Parameter.KEYWORD_ONLY}, function.__name__
    assert actions == set(ACTIONS)


def _public_functions() -> Iterator[Callable[..., object]]:
    for package in (catalogs.actions, oipsce_site.administration.actions, review.actions):
        for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            loaded = importlib.import_module(module.name)
            for name, function in inspect.getmembers(loaded, inspect.isfunction):
                if not name.startswith("_") and function.__module__ == module.name:
                    yield function

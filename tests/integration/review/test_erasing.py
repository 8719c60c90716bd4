"""A call is erased: nothing of its words is left anywhere, and every proof still holds."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from pytest_django import Settings

from oipsce_site.ledger.checkpoints import seal_heads
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of, verify, verify_log
from oipsce_site.people.roles import Role
from oipsce_site.signing.store import open_store
from review.actions.erasing import UnableToErase, approve_erasure, ask_erasure, refuse_erasure
from review.actions.export_orders import UnableToExport
from review.actions.exports import Wish, fetch_export, request_export
from review.actions.intake import Offer, UnableToImport, import_call
from review.actions.legal_holds import UnableToHoldLegally, lift_legal_hold, place_legal_hold
from review.actions.opening import UnableToOpen, open_for_review
from review.actions.retaining import UnableToRetain, decide_rule, propose_rule, run_retention
from review.core.decisions import Ask, Kind
from review.core.lifecycle import CallState, Owner, may_move
from review.core.verify.bundle import Asked, Verified, verify_audit
from review.models import AuditExport, Call, Erasure, Ground, ProfileCode, RetentionRule, Turn
from review.permissions import NotAllowed
from review.queries.chains import sites_of_chains
from review.tasks import export_waiting
from tests.factories import (
    NOON,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.integration.review.retention_acts import (
    LATER,
    administrator,
    ask,
    erase,
    hold,
    keep_for,
    officer,
)
from tests.signers import Signer, act, begin, complete, read_and_decide, with_app, with_passkey

pytestmark = pytest.mark.django_db

CANARY = "Zyxomma"


@pytest.fixture(autouse=True)
def keys(settings: Settings, tmp_path: Path) -> None:
    settings.SIGNING_KEY_DIR = str(tmp_path / "signing")
    settings.SIGNING_KEYS_AUTOCREATE = True
    settings.ERASURE_LIST_FILE = str(tmp_path / "erased-calls.txt")


@pytest.fixture
def ann() -> Signer:
    return with_passkey(with_app(make_person(Role.SENIOR_REVIEWER, username="ann")))


@pytest.fixture
def call_id(ann: Signer) -> UUID:
    """Return a call that is full of a word: said, written, typed by people."""
    publish(catalog_source("micro"))
    raw = raw_micro(id="one", title=f"{CANARY} title")
    text = json.dumps(raw)
    raw["turns"] = [
        {**turn, "text": f"{turn['text']} {CANARY}"} for turn in json.loads(text)["turns"]
    ]
    call_id = prefilled(read(raw))
    read_and_decide(call_id, ann.user, at=now())
    act(call_id, Ask(Kind.COMMENT, "PID", reason=f"ask {CANARY}"), ann.user, at=now())
    return call_id


def now() -> datetime:
    return datetime.now(UTC)


def sign(call_id: UUID, ann: Signer) -> None:
    complete(ann, call_id, begin(ann, call_id, at=now()), at=now())


def columns() -> list[tuple[str, str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "select table_schema, table_name, column_name from information_schema.columns "
            "where table_schema in ('public', 'audit') and table_name not like 'pg_%'"
        )
        return [(str(a), str(b), str(c)) for a, b, c in cursor.fetchall()]


def places_of(word: str) -> list[str]:
    """Return every column of every table that holds a word, as text or as bytes."""
    found = []
    with connection.cursor() as cursor:
        for schema, table, column in columns():
            cursor.execute(
                f'select count(*) from "{schema}"."{table}" where '  # noqa: S608
                f'position(%s in "{column}"::text) > 0 or position(%s in "{column}"::text) > 0',
                [word, word.encode().hex()],
            )
            if cursor.fetchone()[0]:
                found.append(f"{table}.{column}")
    return found


def export() -> UUID:
    by, export_id = officer(), uuid4()
    wish = Wish(profile=ProfileCode.MINIMUM, recipient="State board", purpose="Inspection")
    request_export(export_id=export_id, site=make_site(), wish=wish, by=by, at=now())
    export_waiting()
    return export_id


def fetched(export_id: UUID) -> bytes:
    return b"".join(fetch_export(export_id=export_id, by=officer(), at=now()))


def verified(data: bytes) -> Verified:
    return verify_audit(io.BytesIO(data), Asked(open_store(at=now()).root_id(), now()))


def kinds(chain: UUID) -> list[str]:
    return [str(read_body(entry.body)["type"]) for entry in entries_of(chain)]


@pytest.mark.parametrize("signed", [True, False])
def test_no_word_of_an_erased_call_is_left_in_any_column(
    signed: bool, call_id: UUID, ann: Signer
) -> None:
    if signed:
        sign(call_id, ann)
    assert "review_call.title" in places_of(CANARY)
    sealed = [bytes(one) for one in Turn.objects.values_list("sealed", flat=True)]
    erase(call_id)
    assert places_of(CANARY) == []
    # Nor is the sealed text that a stolen key would have opened.
    assert all(places_of(one.hex()) == [] for one in sealed[:1])
    stored = Call.objects.get(pk=call_id)
    assert (bytes(stored.wrapped_key), stored.state) == (b"", "SIGNED" if signed else "WITHDRAWN")
    assert stored.turns.count() == stored.notes.count() == stored.events.count() == 0


def test_chains_checkpoints_and_audits_that_left_verify_after_an_erasure(
    call_id: UUID, ann: Signer
) -> None:
    sign(call_id, ann)
    export_id = export()
    data = fetched(export_id)
    assert len(verified(data).verdicts) == 1
    erase(call_id)
    seal_heads(place=sites_of_chains, at=now())
    assert verify(call_id) == []
    assert verify_log(1, open_store(at=now()).keyring()) == []
    # The recipient's copy is theirs; ours is empty, and a new one leaves the call out and says so.
    assert len(verified(data).verdicts) == 1
    assert not AuditExport.objects.get(pk=export_id).pieces.exists()
    with pytest.raises(UnableToExport, match="no such file"):
        fetched(export_id)
    again = verified(fetched(export()))
    assert again.verdicts == ()
    assert again.predicate["universe"]["erased"] == 1


@pytest.mark.parametrize(
    ("state", "after"), [("REOPENED", "WITHDRAWN"), ("WITHDRAWN", "WITHDRAWN")]
)
def test_an_erased_call_is_withdrawn_unless_it_is_signed(
    state: str, after: str, call_id: UUID
) -> None:
    Call.objects.filter(pk=call_id).update(state=state)
    erase(call_id)
    assert Call.objects.get(pk=call_id).state == after


def test_every_call_that_is_not_signed_may_be_withdrawn_by_retention() -> None:
    kept = {CallState.SIGNED, CallState.WITHDRAWN}
    may = {s for s in CallState if may_move(s, CallState.WITHDRAWN, Owner.RETENTION)}
    assert may == set(CallState) - kept


def test_a_state_that_the_lifecycle_does_not_let_go_is_not_erased(
    call_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("review.actions.erasing.may_move", lambda *_: False)
    with pytest.raises(UnableToErase, match="in this state"):
        erase(call_id)
    assert Call.objects.get(pk=call_id).erased_at is None


def test_the_entry_says_who_asked_who_erased_and_what_opens_to_nothing(call_id: UUID) -> None:
    asker, second = officer(), administrator()
    erasure_id = ask(call_id, asker)
    approve_erasure(erasure_id=erasure_id, by=second, at=NOON)
    body: Any = read_body(list(entries_of(call_id))[-1].body)
    assert (body["type"], body["actor"]["id"]) == ("call.erase", str(second.pk))
    assert body["facts"]["asked_by"] == str(asker.pk)
    assert body["facts"]["ground"] == "person_asked"
    assert body["facts"]["commitments"] > 0
    assert Erasure.objects.get().state == "DONE"


def test_one_person_erases_nothing(call_id: UUID) -> None:
    both = make_person(Role.COMPLIANCE_OFFICER, Role.ADMINISTRATOR)
    with pytest.raises(NotAllowed):
        ask(call_id, both)
    asker = officer()
    erasure_id = ask(call_id, asker)
    for other in (asker, officer(), make_person(Role.SENIOR_REVIEWER)):
        with pytest.raises(NotAllowed):
            approve_erasure(erasure_id=erasure_id, by=other, at=NOON)
    # Who asked and became an administrator since is still the same person.
    Erasure.objects.update(asked_by=(second := administrator()))
    with pytest.raises(UnableToErase, match="yourself"):
        approve_erasure(erasure_id=erasure_id, by=second, at=NOON)
    assert Call.objects.get(pk=call_id).erased_at is None


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.SENIOR_REVIEWER, Role.AUDITOR])
def test_who_may_not_ask(role: Role, call_id: UUID) -> None:
    with pytest.raises(NotAllowed):
        ask(call_id, make_person(role))


def test_an_officer_of_another_site_asks_for_nothing(call_id: UUID) -> None:
    with pytest.raises(NotAllowed):
        ask(call_id, make_person(Role.COMPLIANCE_OFFICER, site=make_site("south")))


def test_a_refused_wish_leaves_the_call_and_may_be_asked_again(call_id: UUID) -> None:
    refuse_erasure(erasure_id=ask(call_id), by=administrator(), at=NOON)
    assert Call.objects.get(pk=call_id).erased_at is None
    assert kinds(call_id)[-2:] == ["erasure.ask", "erasure.refuse"]
    erase(call_id)
    with pytest.raises(UnableToErase, match="erased already"):
        ask(call_id)


def test_a_wish_is_asked_once_and_decided_once(call_id: UUID) -> None:
    asker = officer()
    erasure_id = ask(call_id, asker)
    ask_erasure(erasure_id=erasure_id, call_id=call_id, ground=Ground.MISTAKE, by=asker, at=NOON)
    with pytest.raises(UnableToErase, match="asked for this already"):
        ask(call_id)
    approve_erasure(erasure_id=erasure_id, by=administrator(), at=NOON)
    with pytest.raises(UnableToErase, match="decided this already"):
        approve_erasure(erasure_id=erasure_id, by=administrator(), at=NOON)


def test_a_legal_hold_blocks_until_it_is_lifted(call_id: UUID) -> None:
    erasure_id = ask(call_id)
    hold_id = hold(call_id)
    for blocked in (
        lambda: approve_erasure(erasure_id=erasure_id, by=administrator(), at=NOON),
        lambda: ask(call_id),
    ):
        with pytest.raises(UnableToErase, match="legal hold"):
            blocked()
    with pytest.raises(DatabaseError, match="legal hold"), transaction.atomic():
        Call.objects.filter(pk=call_id).update(wrapped_key=b"", title="", erased_at=NOON)
    lift_legal_hold(hold_id=hold_id, reason="settled", by=officer(), at=NOON)
    approve_erasure(erasure_id=erasure_id, by=administrator(), at=NOON)
    assert kinds(call_id)[-3:] == ["legal_hold.place", "legal_hold.lift", "call.erase"]


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_hold_says_which_matter_it_is_for(reason: str, call_id: UUID) -> None:
    with pytest.raises(UnableToHoldLegally, match="which matter"):
        place_legal_hold(hold_id=uuid4(), call_id=call_id, reason=reason, by=officer(), at=NOON)


def test_an_erased_call_is_not_imported_again(call_id: UUID) -> None:
    erase(call_id)
    offer = Offer(call=read(raw_micro(id="one")), call_id=uuid4(), run_id=uuid4())
    with pytest.raises(UnableToImport, match="was erased"):
        import_call(site=make_site(), offer=offer, by=None, at=NOON)
    assert places_of("knee scan") == []


GUARDED = [
    "update review_call set wrapped_key = 'x' where erased_at is not null",
    "update review_call set erased_at = null",
    "update review_evaluation set report = 'x'",
    "delete from review_evaluation",
    "delete from review_decision",
    "update review_decision set value = '{\"x\": 1}'",
    "update review_signoff set sealed_inputs = 'x'",
    "delete from review_turn",
    "update review_evaluation set report = ''",
]


@pytest.mark.parametrize("statement", GUARDED)
def test_the_guards_let_an_erased_call_lose_its_words_and_nothing_else(
    statement: str, call_id: UUID, ann: Signer
) -> None:
    sign(call_id, ann)
    if "turn" not in statement and "report = ''" not in statement:
        erase(call_id)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_nobody_opens_an_erased_call(call_id: UUID, ann: Signer) -> None:
    erase(call_id)
    with pytest.raises(UnableToOpen, match="no such call"):
        open_for_review(call_id=call_id, by=ann.user, at=NOON)


# --- retention ------------------------------------------------------------------------------------


def run(**changes: Any) -> Any:
    return run_retention(**{"site": make_site(), "by": "retention", "at": LATER, **changes})


def test_a_run_erases_what_is_due_by_the_last_change_and_leaves_the_rest(
    call_id: UUID, ann: Signer
) -> None:
    old = prefilled(read(raw_micro(id="old")))
    held = prefilled(read(raw_micro(id="held")))
    hold(held)
    keep_for(make_site(), 30)
    # The first call was decided on today; the others came in at noon of a day long ago.
    done = run(at=NOON + timedelta(days=31) if now() > NOON + timedelta(days=1) else LATER)
    assert old in done.erased
    assert held not in done.erased
    assert Erasure.objects.get(call=old).ground == "RETENTION"
    assert kinds(make_site().pk)[-1] == "retention.run"
    assert run().erased in ((), (call_id,))
    assert verify(old) == []


def test_above_the_cap_nothing_is_erased_and_the_log_says_so(call_id: UUID) -> None:
    prefilled(read(raw_micro(id="two")))
    keep_for(make_site(), 730, most=1)
    with pytest.raises(UnableToRetain, match="2 calls are due, and a run erases 1 at most"):
        run(at=LATER + timedelta(days=9000))
    assert not Call.objects.filter(erased_at__isnull=False).exists()
    assert kinds(make_site().pk)[-1] == "retention.above_cap"


def test_a_run_that_is_killed_is_gone_on_with_by_the_next(
    call_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = [prefilled(read(raw_micro(id=f"more-{number}"))) for number in range(2)]
    keep_for(make_site(), 30)

    class Dead(BaseException):
        """The process is gone."""

    times: list[int] = []

    def dies(*_: object) -> int:
        times.append(1)
        if len(times) == 2:
            # The key is gone from the row already, and the entry not yet written.
            raise Dead
        return 0

    with monkeypatch.context() as patch:
        patch.setattr("review.actions.erasing._empty_exports", dies)
        with pytest.raises(Dead):
            run(at=LATER)
    erased = Call.objects.filter(erased_at__isnull=False)
    assert erased.count() == 1
    run(at=LATER)
    assert set(calls) <= set(erased.values_list("pk", flat=True))
    assert all("call.erase" in kinds(one) for one in calls)
    assert all(verify(one) == [] for one in calls)


def test_a_rule_is_made_by_two_people() -> None:
    asker = officer()
    given: dict[str, Any] = {"site": make_site(), "days": 730, "most": 10, "by": asker, "at": NOON}
    with pytest.raises(UnableToRetain, match="30 days at least"):
        propose_rule(rule_id=uuid4(), **{**given, "days": 29})
    propose_rule(rule_id=uuid4(), **given)
    with pytest.raises(UnableToRetain, match="waits for an administrator"):
        propose_rule(rule_id=uuid4(), **given)
    rule = RetentionRule.objects.get()
    with pytest.raises(UnableToRetain, match="no approved rule"):
        run()
    with pytest.raises(NotAllowed):
        decide_rule(rule_id=rule.pk, approve=True, by=asker, at=NOON)
    decide_rule(rule_id=rule.pk, approve=False, by=administrator(), at=NOON)
    with pytest.raises(UnableToRetain, match="no approved rule"):
        run()


# --- the command, and backups ---------------------------------------------------------------------


def said(command: str, *words: str) -> tuple[str, int]:
    out = io.StringIO()
    code = 0
    try:
        call_command(command, *words, stdout=out, stderr=out)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return out.getvalue(), code


def test_a_dry_run_lists_what_is_due_and_erases_nothing(call_id: UUID) -> None:
    prefilled(read(raw_micro(id="old")))
    keep_for(make_site(), 30)
    text, _ = said("run_retention", "--dry-run", "--site", "north")
    assert "calls are due" in text or "call is due" in text
    assert not Call.objects.filter(erased_at__isnull=False).exists()


def test_f27_a_call_erased_before_an_older_backup_came_back_is_erased_again(
    call_id: UUID, settings: Settings
) -> None:
    """The database is put back as it was before the erasure; the list outside of it is not."""
    other = prefilled(read(raw_micro(id="other")))
    Path(settings.ERASURE_LIST_FILE).write_text(f"{call_id}\n")
    text, _ = said("reapply_erasures")
    assert "1 call was erased again" in text
    assert places_of(CANARY) == []
    assert Call.objects.get(pk=other).erased_at is None
    assert kinds(call_id)[-1] == "call.erase"
    text, _ = said("reapply_erasures")
    assert "no call had to be erased again" in text


def test_erasures_are_remembered_outside_the_database(call_id: UUID, settings: Settings) -> None:
    erase(call_id)
    said("reapply_erasures")
    assert str(call_id) in Path(settings.ERASURE_LIST_FILE).read_text()

"""A what-if from its order to its record: both kinds, killed and taken up, called off, given up."""

from __future__ import annotations

import json
from datetime import date, timedelta
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from catalogs.actions.drafts import Beginning, start_draft
from catalogs.models import CatalogVersion, WhatIfReport
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions import what_if_work, what_ifs
from review.actions.what_if_work import (
    LEASE,
    LostPortion,
    claim_portion,
    compare_portion,
    fail_portion,
    store_compared,
)
from review.actions.what_ifs import UnableToAsk, WhatIfWish, call_off_what_if, order_what_if
from review.core.evaluation import judge_call
from review.core.whatif import Change, counts_from_json
from review.models import Call, WhatIf, WhatIfLine, WhatIfPortion, WhatIfState
from review.permissions import NotAllowed
from review.queries import what_if_calls
from review.queries.cascades import cascade_of_text
from review.queries.what_if_calls import pasts_of, standing_calls
from review.tasks import what_if_waiting
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
from tests.signed import sign_stored

pytestmark = pytest.mark.django_db

#: The micro catalog without its critical edges: nothing told too early fails a call any more.
LOOSE = catalog_source(
    "micro",
    ("version: 2.0.0", "version: 3.0.0"),
    *(
        (line, "    ")
        for line in (
            line
            for line in catalog_source("micro").decode().splitlines()
            if line.startswith("    critical_parents")
        )
    ),
)
#: The micro catalog with a phase that no call has a row of.
LONGER = catalog_source(
    "micro",
    ("version: 2.0.0", "version: 3.0.0"),
    (
        "phases:\n",
        "phases:\n"
        "  - id: AID\n    name: AI disclosure\n    basis: [HIPAA_VERIFY]\n"
        "    intent: The agent says that it is an AI.\n    required: always\n    parents: []\n"
        "    starts: [{re: '(?i)\\bI am an AI\\b', by: [agent]}]\n"
        "    accept:\n      - {id: told, text: Said., match: "
        "[{re: '(?i)\\bI am an AI\\b', by: [agent]}]}\n"
        "    counterexamples: [A greeting.]\n"
        "    rubric: {pass: ['Agent: I am an AI.'], fail: ['Agent: Hello.']}\n",
    ),
)


@pytest.fixture
def author(catalogs: None) -> User:
    return make_person(Role.CATALOG_AUTHOR)


@pytest.fixture
def calls(catalogs: None, north: Site) -> list[UUID]:
    """Three calls that fail as they stand: one is signed, one of another day."""
    one = prefilled(case(), north)
    about = {**raw_micro()["call"], "date": "2026-11-20"}
    later = prefilled(read(raw_micro(id="later", call=about)), north)
    third = prefilled(read(raw_micro(id="third")), north)
    sign_stored(third, make_person(Role.SENIOR_REVIEWER, site=north))
    return [one, later, third]


def ask(kind: str, source: bytes, by: User, site: Site, **more: object) -> WhatIf:
    draft_id, what_if_id = uuid4(), uuid4()
    start_draft(
        draft_id=draft_id,
        catalog_id=uuid4(),
        beginning=Beginning("A draft", source),
        by=make_person(Role.CATALOG_AUTHOR),
        at=NOON,
    )
    wanted: dict[str, object] = {"first": None, "last": None, "draft_id": draft_id, **more}
    wish = WhatIfWish(kind, site, "member-benefits-micro", **wanted)  # type: ignore[arg-type]
    order_what_if(what_if_id=what_if_id, wish=wish, by=by, at=NOON)
    return WhatIf.objects.get(pk=what_if_id)


def test_decide_again_says_which_verdicts_change_and_how_many_are_signed(
    author: User, north: Site, calls: list[UUID]
) -> None:
    asked = ask("DECIDE", LOOSE, author, north)
    assert what_if_waiting() == 1
    asked.refresh_from_db()
    assert (asked.state, asked.done, asked.calls) == (WhatIfState.DONE, 3, 3)
    counts = counts_from_json(asked.result or {})
    assert (counts.changes[Change.FAIL_TO_PASS].calls, counts.signed) == (3, 1)
    assert counts.edges == {"PID→CSV": 3, "PID→DCC": 3}
    assert {str(one.call_id) for one in WhatIfLine.objects.all()} == set(map(str, calls))
    [report] = WhatIfReport.objects.all()
    assert (report.figures, report.document_digest) == (asked.result, asked.document_digest)
    kinds = [json.loads(entry.body)["type"] for entry in entries_of(asked.draft_id or uuid4())]
    assert kinds[-2:] == ["whatif.order", "whatif.store"]


def test_calls_whose_pre_fill_kept_nothing_for_it_are_decided_the_same(
    calls: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those filled before there was the column: from the proposals and the report."""
    standing = standing_calls(calls)
    kept = pasts_of(standing, with_facts=True)
    monkeypatch.setattr(what_if_calls, "_deciding", lambda _run_ids: ({}, {}))
    assert pasts_of(standing, with_facts=True) == kept
    [past, *_] = [one for group in kept.values() for one in group]
    assert past.call.rows


def test_read_again_finds_what_the_pre_fill_would(
    author: User, north: Site, calls: list[UUID]
) -> None:
    asked = ask("READ", LONGER, author, north, last=date(2026, 11, 19))
    what_if_waiting()
    asked.refresh_from_db()
    assert asked.calls == 2, "the later call is out of range"
    counts = counts_from_json(asked.result or {})
    assert counts.phases == {"AID": 2}
    assert counts.changes[Change.SAME].calls == 2, "they fail as before"
    judged = judge_call(case(), cascade_of_text(LONGER)).filled.rows["AID"]
    for line in WhatIfLine.objects.all():
        assert line.rows == [["AID", None, "", f"never, {judged.verdict.value}"]]
    assert Call.objects.get(pk=calls[0]).call_success == "FAIL", "nothing stored changes"


def test_a_killed_worker_loses_its_portion_and_nothing_else(
    author: User, north: Site, calls: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(what_ifs, "_PORTION", {"DECIDE": 2, "READ": 2})
    asked = ask("READ", LONGER, author, north)
    lost = claim_portion(at=NOON)
    other = claim_portion(at=NOON)
    assert lost is not None
    assert other is not None
    assert claim_portion(at=NOON) is None, "both are in somebody's hands"
    store_compared(claimed=other, compared=compare_portion(other), by="w", at=NOON)
    again = claim_portion(at=NOON + LEASE + timedelta(seconds=1))
    assert again is not None
    assert (again.portion_id, again.attempt) == (lost.portion_id, 2)
    store_compared(claimed=again, compared=compare_portion(again), by="w", at=NOON)
    asked.refresh_from_db()
    assert (asked.state, asked.done) == (WhatIfState.DONE, 3)
    # The first one comes late: it finds the what-if over and stores nothing twice.
    assert not store_compared(claimed=lost, compared=compare_portion(lost), by="w", at=NOON)
    assert WhatIfLine.objects.filter(what_if=asked).count() == 3


def test_a_late_worker_is_fenced_while_the_what_if_goes_on(
    author: User, north: Site, calls: list[UUID]
) -> None:
    ask("READ", LONGER, author, north)
    late = claim_portion(at=NOON)
    assert late is not None
    assert claim_portion(at=NOON + LEASE * 2) is not None
    with pytest.raises(LostPortion):
        store_compared(claimed=late, compared=compare_portion(late), by="w", at=NOON)


def test_what_fails_three_times_is_given_up(
    author: User, north: Site, calls: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("words of a call")

    monkeypatch.setattr(what_if_work, "standing_calls", broken)
    asked = ask("READ", LONGER, author, north)
    assert what_if_waiting() == 3
    asked.refresh_from_db()
    assert (asked.state, asked.failure) == (WhatIfState.FAILED, "RuntimeError")


def test_a_what_if_is_called_off_and_keeps_nothing(
    author: User, north: Site, calls: list[UUID]
) -> None:
    asked = ask("READ", LONGER, author, north)
    claimed = claim_portion(at=NOON)
    assert claimed is not None
    with pytest.raises(UnableToAsk, match="Another what-if of yours goes on"):
        ask("READ", LONGER, author, north)
    call_off_what_if(what_if_id=asked.pk, by=author, at=NOON)
    assert not store_compared(claimed=claimed, compared=compare_portion(claimed), by="w", at=NOON)
    fail_portion(claimed=claimed, failure="x", by="w", at=NOON)
    assert (claim_portion(at=NOON + LEASE * 2), WhatIfLine.objects.count()) == (None, 0)
    with pytest.raises(UnableToAsk, match="called off already"):
        call_off_what_if(what_if_id=asked.pk, by=author, at=NOON)


@pytest.mark.parametrize(
    ("source", "more", "sentence"),
    [
        (b"format: [\n", {}, "cannot be read"),
        (LOOSE, {"first": date(2027, 1, 1)}, "No call at North was judged by"),
        (LOOSE, {"first": date(2026, 2, 2), "last": date(2026, 2, 1)}, "lies before the first"),
        (LOOSE, {"draft_id": UUID(int=1)}, "no such draft"),
        (LOOSE, {"draft_id": None, "version_id": UUID(int=1)}, "no such version"),
    ],
)
def test_what_cannot_be_asked_says_why(
    author: User, north: Site, source: bytes, more: dict[str, object], sentence: str
) -> None:
    with pytest.raises(UnableToAsk, match=sentence):
        ask("DECIDE", source, author, north, **more)
    assert not WhatIfPortion.objects.exists()


def test_a_call_that_does_not_open_is_counted_and_the_others_are_read(
    author: User, north: Site, calls: list[UUID]
) -> None:
    Call.objects.filter(pk=calls[0]).update(wrapped_key=b"x" * 60)
    asked = ask("READ", LONGER, author, north)
    what_if_waiting()
    asked.refresh_from_db()
    counts = counts_from_json(asked.result or {})
    assert (counts.calls, counts.unread) == (2, 1)


def test_a_version_is_asked_as_well_and_by_its_own_text_nothing_changes(
    north: Site, author: User, calls: list[UUID]
) -> None:
    version_id = CatalogVersion.objects.get().pk
    for kind in ("READ", "DECIDE"):
        asked = ask(kind, LOOSE, author, north, draft_id=None, version_id=version_id)
        what_if_waiting()
        asked.refresh_from_db()
        counts = counts_from_json(asked.result or {})
        assert (counts.calls, counts.changes[Change.SAME].calls) == (3, 3)
    assert not WhatIfLine.objects.exists()


def test_a_senior_reviewer_asks_at_their_own_site_alone(north: Site, calls: list[UUID]) -> None:
    senior = make_person(Role.SENIOR_REVIEWER, site=north)
    ask("DECIDE", LOOSE, senior, north)
    with pytest.raises(NotAllowed):
        ask("DECIDE", LOOSE, senior, make_site("south"))
    with pytest.raises(NotAllowed):
        ask("DECIDE", LOOSE, make_person(Role.AUDITOR, site=north), north)


@pytest.mark.parametrize(
    "statement",
    [
        "update review_whatif set calls = 1",
        "update review_whatif set state = 'WAITING', ended_at = null",
        "delete from review_whatif",
        "update review_whatifline set signed = true",
        "delete from review_whatifline",
        "update catalogs_whatifreport set kind = 'x'",
    ],
)
def test_what_came_out_stands(author: User, north: Site, calls: list[UUID], statement: str) -> None:
    ask("DECIDE", LOOSE, author, north)
    what_if_waiting()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_publishing_names_the_what_ifs_of_its_text(
    author: User, north: Site, calls: list[UUID]
) -> None:
    ask("DECIDE", LOOSE.replace(b"2026-01-01, to", b"2026-12-01, to", 1), author, north)
    what_if_waiting()
    version_id = publish(LOOSE.replace(b"2026-01-01, to", b"2026-12-01, to", 1))
    catalog_id = CatalogVersion.objects.get(pk=version_id).catalog_id
    facts = json.loads([*entries_of(catalog_id)][-1].body)["facts"]
    assert facts["what_ifs"] == [WhatIfReport.objects.get().figures_digest]

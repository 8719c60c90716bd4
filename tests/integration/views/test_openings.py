"""Words of a call reach nobody before the log has who gets them, and administrators never.

Words that stand nowhere else are planted in a call: in its turns, its event, a person's comment and
the reasons people gave. Every address is asked by everybody; whatever answer holds one of the words
must be of a page that is listed here, to somebody who reads the site's calls, with an entry of that
person in the call's chain that was written before the seal was broken (audit_security 2e).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from oipsce_site.sealing import CallSealer
from review.actions.decisions import decide
from review.actions.queueing import skip_call
from review.actions.reopening import ask_to_reopen
from review.core.decisions import Ask, Kind
from review.models import PhaseRow
from tests.factories import NOON, catalog_source, make_person, raw_micro, read
from tests.integration.views import permission_table as table
from tests.integration.views.lines import ADMINISTRATOR, SITE_ROLES, Column, Line, lines
from tests.integration.views.world import Visitor, World, apart, build
from tests.signed import sign_stored

CANARY, REMARK = "zanzibar-canary", "zanzibar-remark"
PLANTED = [word.encode() for word in (CANARY, REMARK)]
#: Planted words, and words of the case that no catalog has.
WORDS = [*PLANTED, b"knee scan", b"nineteen eighty"]
#: A draft's rules are shown over shipped cases, whose words are everybody's.
WITH_SHIPPED_CASES = {
    "GET review:draft_hits",
    "POST review:draft_hits",
    "POST review:draft_examples",
}
READERS = {"reviewer", "senior_reviewer", "compliance_officer", "auditor"}

#: Where words of a call are sent. A new one needs a line here, and `open_for_review` in its view.
WITH_WORDS = {
    "GET review:call",
    "GET review:call_vcon",
    "GET review:mapping",
    "GET review:dispute",
    "POST review:mapping",
    # Refused forms come back on the page that they stand on.
    "POST review:mapping_swap",
    "POST review:mapping_withdraw",
    "POST review:mapping_send_back",
    "POST review:decide_row",
    "POST review:confirm_rest",
    "POST review:reveal",
    "POST review:dispute_answer",
    # What a decision changes is sent with it, and its own entry says who took it. The addresses
    # that confirm several rows, undo and redo answer in the same way (views/call/decisions).
    "POST review:row_decided",
    # The file of an audit has its own entry, audit.fetch, before its first byte: test_exports.
}

#: What is sent to an address, so that it does what it is for.
SENT: dict[str, dict[str, Any]] = {
    "review:mapping": {"preview": "1"},
    "review:row_decided": {"kind": "SET_START", "revision": 1, "start": "2", "desk": "1"},
}


@dataclass
class Watch:
    """How many entries of a person each breaking of a seal found in the chain of its call."""

    who: User | None = None
    found: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Sent:
    """An answer, who got it, and what the log had by then."""

    line: str
    roles: tuple[str, ...]
    has_words: bool
    entries: int
    at_unsealing: tuple[int, ...]


@pytest.fixture(scope="module")
def spoken(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Build the installation around a call in which the words are planted."""
    raw = raw_micro()
    for turn in raw["turns"]:
        turn["text"] = f"{turn['text']} {CANARY}"
    raw["events"][0]["args"]["note"] = CANARY
    with django_db_blocker.unblock(), apart():
        world = build(read(raw))
        _remark(world.parameters["call_id"], world)
        yield world


def _remark(call_id: UUID, world: World) -> None:
    """Have a reviewer comment on a row and pass the call over, with planted words."""
    by = make_person(Role.REVIEWER, site=world.north)
    revision = PhaseRow.objects.get(call=call_id, phase="PID").revision
    comment = Ask(Kind.COMMENT, "PID", reason=REMARK)
    decide(
        call_id=call_id,
        decision=comment,
        expected_revision=revision,
        key=uuid4(),
        by=by,
        at=NOON,
    )
    skip_call(call_id=call_id, reason=REMARK, by=by, at=NOON)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Look into the log whenever a seal is broken."""
    watch, open_bytes = Watch(), CallSealer.open_bytes

    def watched(self: CallSealer, slot: str, sealed: Any) -> bytes:
        watch.found.append(entries_of_person(watch.who))
        return open_bytes(self, slot, sealed)

    monkeypatch.setattr(CallSealer, "open_bytes", watched)
    return watch


def entries_of_person(person: User | None) -> int:
    """Count the entries about calls that name a person."""
    with connection.cursor() as cursor:
        cursor.execute("select body from audit.entry order by at_us desc, seq desc limit 8")
        bodies: list[Any] = [read_body(bytes(body)) for (body,) in cursor.fetchall()]
    return sum(
        person is not None
        and one["actor"]["id"] == str(person.pk)
        and one["type"] in ("call.open", "row.decide")
        for one in bodies
    )


def ask(world: World, line: Line, held: tuple[Column, ...], visitor: Visitor, watch: Watch) -> Sent:
    """Ask an address, and look at the answer and the log before both are undone."""
    watch.who, watch.found = visitor.person, []
    sent = {"form_key": uuid4(), **SENT.get(line.name, {})} if line.method == "POST" else {}
    with apart():
        answer = visitor.ask(
            line.method,
            line.address(world),
            inside=lambda: watch.found.append(entries_of_person(visitor.person)),
            data=urlencode(sent),
            content_type="application/x-www-form-urlencoded",
        )
    *before, after = watch.found
    looked_for = PLANTED if str(line) in WITH_SHIPPED_CASES else WORDS
    has_words = any(word in answer.body for word in looked_for)
    return Sent(str(line), tuple(role for role, _ in held), has_words, after, tuple(before))


def everybody() -> list[tuple[Column, ...]]:
    return [
        *(((role, True),) for role in table.ROLES),
        (("senior_reviewer", False),),
        ((ADMINISTRATOR, True), *((role, True) for role in SITE_ROLES)),
    ]


def test_the_planted_words_stand_in_no_catalog() -> None:
    assert not any(word in catalog_source("micro") for word in WORDS)


def test_no_words_are_sent_before_the_log_has_who_gets_them(spoken: World, watch: Watch) -> None:
    answers = []
    for held in everybody():
        places = ((role, spoken.north if near else spoken.south) for role, near in held)
        visitor = spoken.visitor(*places)
        away = any(not near for _, near in held)
        for line in lines():
            one = ask(spoken, line, held, visitor, watch)
            if one.has_words:
                assert not away, one
                answers.append(one)
    assert {one.line for one in answers} == WITH_WORDS
    assert {one.roles for one in answers} == {(role,) for role in READERS}
    assert not [one for one in answers if one.entries < 1]
    shown = [one for one in answers if one.line.startswith("GET")]
    assert not [one for one in shown if not one.at_unsealing or min(one.at_unsealing) < 1]


def test_the_reasons_at_a_signature_are_words_too(spoken: World, watch: Watch) -> None:
    with apart():
        call_id = spoken.parameters["call_id"]
        sign_stored(call_id, make_person(Role.SENIOR_REVIEWER, site=spoken.north))
        asks = make_person(Role.COMPLIANCE_OFFICER, site=spoken.north)
        ask_to_reopen(call_id=call_id, reason=REMARK, by=asks, at=NOON)
        [line] = [one for one in lines() if str(one) == "GET review:sign"]
        held = (("auditor", True),)
        one = ask(spoken, line, held, spoken.visitor(("auditor", spoken.north)), watch)
    assert one.has_words
    assert min(one.at_unsealing) >= 1

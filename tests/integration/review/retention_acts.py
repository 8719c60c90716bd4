"""Erasures, holds and rules, as the tests of them make them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID, uuid4

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.erasing import approve_erasure, ask_erasure, refuse_erasure
from review.actions.legal_holds import lift_legal_hold, place_legal_hold
from review.actions.retaining import decide_rule, erase_again, propose_rule, run_retention
from review.models import Erasure, Ground, LegalHold, RetentionRule
from tests.factories import NOON, case, catalog_source, make_person, make_site, prefilled, publish

Act = Callable[[], object]
LATER = NOON + timedelta(days=800)


def officer() -> User:
    return make_person(Role.COMPLIANCE_OFFICER)


def administrator() -> User:
    return make_person(Role.ADMINISTRATOR)


def ask(call_id: UUID, by: User | None = None) -> UUID:
    """Ask to have a call erased; returns the wish."""
    erasure_id = uuid4()
    ask_erasure(
        erasure_id=erasure_id,
        call_id=call_id,
        ground=Ground.PERSON_ASKED,
        by=by or officer(),
        at=NOON,
    )
    return erasure_id


def erase(call_id: UUID) -> None:
    """Have a call erased by two people."""
    approve_erasure(erasure_id=ask(call_id), by=administrator(), at=NOON)


def hold(call_id: UUID, by: User | None = None) -> UUID:
    """Put a call under a legal hold."""
    hold_id = uuid4()
    place_legal_hold(
        hold_id=hold_id, call_id=call_id, reason="matter 12", by=by or officer(), at=NOON
    )
    return hold_id


def keep_for(site: Site, days: int, most: int = 100) -> None:
    """Have a rule of retention made by two people."""
    rule_id = uuid4()
    propose_rule(rule_id=rule_id, site=site, days=days, most=most, by=officer(), at=NOON)
    decide_rule(rule_id=rule_id, approve=True, by=administrator(), at=NOON)


def _call() -> UUID:
    publish(catalog_source("micro"))
    return prefilled(case())


def _ask() -> Act:
    call_id, by = _call(), officer()
    return lambda: ask(call_id, by)


def _approve() -> Act:
    erasure_id, by = ask(_call()), administrator()
    return lambda: approve_erasure(erasure_id=erasure_id, by=by, at=NOON)


def _refuse() -> Act:
    erasure_id, by = ask(_call()), administrator()
    return lambda: refuse_erasure(erasure_id=erasure_id, by=by, at=NOON)


def _place() -> Act:
    call_id, by = _call(), officer()
    return lambda: hold(call_id, by)


def _lift() -> Act:
    by = officer()
    hold_id = hold(_call(), by)
    return lambda: lift_legal_hold(hold_id=hold_id, reason="over", by=by, at=NOON)


def _propose() -> Act:
    site, by = make_site(), officer()
    return lambda: propose_rule(rule_id=uuid4(), site=site, days=730, most=5, by=by, at=NOON)


def _decide_rule() -> Act:
    _propose()()
    rule, by = RetentionRule.objects.get(), administrator()
    return lambda: decide_rule(rule_id=rule.pk, approve=True, by=by, at=NOON)


def _run() -> Act:
    _call()
    site = make_site()
    keep_for(site, 730)
    return lambda: run_retention(site=site, by="retention", at=LATER)


def _again() -> Act:
    call_id = _call()
    return lambda: erase_again(call_id=call_id, by="restore", at=NOON)


RETENTION: dict[str, tuple[str, Callable[[], Act]]] = {
    "ask_erasure": ("erasure.ask", _ask),
    "approve_erasure": ("call.erase", _approve),
    "refuse_erasure": ("erasure.refuse", _refuse),
    "place_legal_hold": ("legal_hold.place", _place),
    "lift_legal_hold": ("legal_hold.lift", _lift),
    "propose_rule": ("retention.propose", _propose),
    "decide_rule": ("retention.approve", _decide_rule),
    "run_retention": ("call.erase retention.run", _run),
    "erase_again": ("call.erase", _again),
}

__all__ = ["RETENTION", "Erasure", "LegalHold"]

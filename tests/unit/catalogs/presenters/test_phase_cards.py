"""A phase card holds what a person needs to judge the phase, and no grammar."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from catalogs.core.document import Document, FinishRule, Mode, StartsOn, ToolKey
from catalogs.presenters.order import edges_of
from catalogs.presenters.phase_cards import PhaseCard, show_phases
from catalogs.shipped import SHIPPED_CATALOGS
from tests.unit.catalogs.presenters.orders import shipped


def card(document: Document, phase: str) -> PhaseCard:
    [found] = [one for one in show_phases(document, edges_of(document)) if one.id == phase]
    return found


def test_a_card_holds_intent_items_examples_and_sources() -> None:
    found = card(shipped("benefits_verification"), "PID")
    assert found.intent.startswith("The payer has matched one patient")
    assert [item.id for item in found.items] == [
        "first_identifier",
        "second_identifier",
        "payer_match",
    ]
    assert (len(found.passing), len(found.failing), len(found.counterexamples)) == (2, 2, 2)
    assert [source.cite for source in found.sources] == [
        "45 CFR 164.514(h)(1)",
        "CGS J15 Part A customer service guide",
    ]
    assert found.sources[1].kind == "payer rule"


def test_critical_edges_stand_on_the_cards_of_both_ends() -> None:
    document = shipped("benefits_verification")
    [into] = card(document, "CSV").critical_in
    [out] = card(document, "PID").critical_out
    assert into.other == "PID"
    assert into.rule == "PID finishes before CSV starts (<), over the whole call"
    assert into.rationale.startswith("Coverage is PHI.")
    assert [source.id for source in into.sources] == ["HIPAA_VERIFY", "MAC_CTI", "SITE"]
    assert (out.other, out.rule) == ("CSV", into.rule)
    assert (card(document, "CSV").parents, card(document, "CRN").children) == (("PID",), ())


def test_the_condition_names_the_facts_it_reads_and_where_they_are_told() -> None:
    found = card(shipped("benefits_verification"), "DCC")
    assert found.condition == "DRC passed and not restrictions"
    [fact] = found.reads
    assert (fact.name, fact.phase) == ("restrictions", "DRC")
    assert fact.meaning.startswith("At least one drug")


def test_matchers_are_in_words_with_their_patterns_beside() -> None:
    starts = card(shipped("benefits_verification"), "PID").starts.matchers
    assert starts[0].words == "said by rep"
    assert "verify the" in starts[0].pattern
    assert (starts[2].words, starts[2].pattern) == (
        "screen event",
        "worksheet.section_opened (section = patient_identity)",
    )
    assert starts[7].exempt.startswith(r"(?i)\b(npi|")
    asks = [
        one
        for item in card(shipped("benefits_verification"), "DRC").items
        for one in item.matchers
        if one.words.startswith("asked by")
    ]
    assert asks[0].words == "asked by agent, answered by rep within 2 turns"
    assert asks[0].exempt_answer


def test_every_policy_has_its_sentence() -> None:
    document = shipped("micro")
    [first, *rest] = document.phases
    changed = replace(
        first,
        mode=Mode.INFORMATIONAL,
        starts_on=StartsOn.ANSWER,
        finish=FinishRule.ANY,
        for_each=ToolKey(("orders.place",)),
        ack_required=True,
        low_harm=True,
        graded_tau=Decimal("0.8"),
        replaces="OLD",
    )
    found = card(replace(document, phases=(changed, *rest)), first.id)
    said = " ".join(found.policies)
    assert found.any_item
    for words in (
        "Done per orders.place",
        "Nothing need be asked",
        "The answer enters the phase",
        "does not count: ",
        "counts from the turn that takes it up",
        "does little harm",
        "from 0.8",
        "Replaces OLD.",
    ):
        assert words in said


@pytest.mark.parametrize("path", SHIPPED_CATALOGS, ids=lambda path: str(path.stem))
def test_every_shipped_catalog_has_a_card_per_phase(path: object) -> None:
    [name] = [one.stem for one in SHIPPED_CATALOGS if one == path]
    document = shipped(name)
    cards = show_phases(document, edges_of(document))
    assert [one.id for one in cards] == [phase.id for phase in document.phases]
    critical = sum(len(phase.critical) for phase in document.phases)
    assert sum(len(one.critical_in) for one in cards) == critical
    assert sum(len(one.critical_out) for one in cards) == critical

"""Every static rule, ordered by its number, and which of them guard loading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from catalogs.core.document import Document
from catalogs.core.findings import Finding
from catalogs.core.linter import edges, governance, identifiers, patterns, phases, requirements

Check = Callable[[Document], Iterator[Finding]]


class Rule(NamedTuple):
    """One rule: its code, its check, and whether it runs at every load."""

    code: str
    check: Check
    guards: bool = False


RULES: tuple[Rule, ...] = (
    Rule("W201", edges.too_many_critical),
    Rule("E202", edges.unknown_parent, guards=True),
    Rule("E203", edges.critical_parent_not_a_parent, guards=True),
    Rule("E204", edges.order_cycle, guards=True),
    Rule("E205", edges.no_rationale),
    Rule("E206", edges.no_source),
    Rule("E207", edges.same_turn_on_harm, guards=True),
    Rule("E208", edges.same_turn_on_exact_clock, guards=True),
    Rule("W209", edges.inference_only),
    Rule("W210", edges.optional_parent),
    Rule("W211", edges.implied),
    Rule("W212", edges.none_critical),
    Rule("W213", edges.alone),
    Rule("E302", requirements.unknown_name, guards=True),
    Rule("E303", requirements.cycle, guards=True),
    Rule("E304", requirements.fact_from_nowhere, guards=True),
    Rule("W305", requirements.deciding_fact_may_be_unknown),
    Rule("W306", requirements.reads_later_phase),
    Rule("W307", requirements.constant),
    Rule("E308", requirements.nothing_always_required),
    Rule("W309", requirements.unused_fact),
    Rule("E310", requirements.item_depends_on_phase, guards=True),
    Rule("E401", patterns.refused_by_re2, guards=True),
    Rule("E402", patterns.matches_empty, guards=True),
    Rule("E403", patterns.no_speaker, guards=True),
    Rule("E404", identifiers.unknown_role, guards=True),
    Rule("E405", identifiers.unknown_event, guards=True),
    Rule("E406", phases.critical_child_without_start),
    Rule("W407", patterns.listens_to_menu),
    Rule("W408", patterns.unbounded),
    Rule("W409", phases.shared_start),
    Rule("E410", identifiers.not_a_list_input, guards=True),
    Rule("W411", phases.acknowledgement_missing),
    Rule("E412", phases.tau_out_of_range, guards=True),
    Rule("E413", phases.graded_decides, guards=True),
    Rule("E414", patterns.ask_without_answer, guards=True),
    Rule("E415", phases.seconds_on_coarse_clock),
    Rule("W416", phases.no_start),
    Rule("W417", phases.acknowledgement_of_all),
    Rule("E419", phases.self_reported_gate, guards=True),
    Rule("E420", patterns.too_large, guards=True),
    Rule("E421", phases.graded_without_tau, guards=True),
    Rule("E422", edges.item_edge_between_keys, guards=True),
    Rule("W423", patterns.non_ascii_beside_classes),
    Rule("W424", edges.gate_without_volunteered_policy),
    Rule("E425", patterns.no_value_group, guards=True),
    Rule("E426", patterns.words_as_value, guards=True),
    Rule("E501", phases.too_few_examples),
    Rule("W502", phases.too_many_examples),
    Rule("E505", phases.looks_like_real_data),
    Rule("W506", phases.longer_than_a_page),
    Rule("W507", phases.no_counterexample),
    Rule("E508", phases.sentence_on_both_sides),
    Rule("W509", phases.long_intent),
    Rule("E601", governance.owner_without_contact),
    Rule("E602", governance.not_approved),
    Rule("E603", governance.stale_approval),
    Rule("E604", governance.changelog_behind),
    Rule("E606", governance.incomplete_waiver),
    Rule("E611", identifiers.unknown_source, guards=True),
    Rule("W612", governance.source_never_cited),
    Rule("W613", governance.phase_without_basis),
    Rule("E614", identifiers.deceptive_characters, guards=True),
    Rule("W615", patterns.exempts_everything),
    Rule("E701", governance.no_tests),
    Rule("W801", governance.languages_unnamed),
)

GUARD_RULES: tuple[Rule, ...] = tuple(rule for rule in RULES if rule.guards)

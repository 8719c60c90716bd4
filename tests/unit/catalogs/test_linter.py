"""Lint rules: each has a bad example that makes it speak, at the right place and line."""

from datetime import date

import pytest

from catalogs.core.document import load_document
from catalogs.core.findings import Finding, Severity, note
from catalogs.core.linter import FATAL, GUARD_RULES, RULES, guard, is_fatal, lint
from tests.unit.catalogs.catalog_text import NAMES, base, edited, line_of, shipped

TODAY = date(2026, 11, 29)
Change = tuple[str, str]

CSV_ASK = (
    "    starts:\n"
    "      - {re: '(?i)\\b(verify|check|confirm)\\b.{0,20}\\b(coverage|eligibility)\\b|"
    "\\bis the\\b.{0,25}\\b(coverage|plan|policy)\\b.{0,15}\\bactive\\b', by: [agent]}\n"
)
CSV_STARTS_END = "      - {ui: worksheet.section_opened, where: {section: coverage_status}}\n"
STRICT = 'precedence: "<"              # strict'
CRN_NAME = "- {re: '(?i)\\bmy name is\\b|\\blast initial\\b', by: [rep]}"
PAYER = (
    "      - id: payer_match\n"
    "        text: The representative says the record is found and the identifiers match.\n"
    "        match:\n"
)
NUMBER_AS_WORDS = ("type: number\n    from: DCC", "type: string\n    from: DCC")
EDGE = "        sources: [HIPAA_VERIFY, MAC_CTI, SITE]\n"


def start(pattern: str, rest: str = ", by: [agent]") -> Change:
    """Replace the first start of CSV."""
    return (CSV_ASK, f"    starts:\n      - {{re: '{pattern}'{rest}}}\n")


CASES: list[tuple[str, str, str, list[Change]]] = [
    (
        "W201",
        "phases",
        "phases:\n",
        [
            (
                "    parents: [PID, CSV]\n    starts:",
                "    parents: [PID, CSV]\n    critical_parents: {PID: {}}\n    starts:",
            ),
        ],
    ),
    ("E202", "CSV.parents", "parents: [PID, PIDD]", [("parents: [PID]", "parents: [PID, PIDD]")]),
    ("E202", "CSV.critical_parents.PIDX", "PIDX:", [("      PID:\n", "      PIDX:\n")]),
    ("E203", "CSV.critical_parents.PID", "      PID:\n", [("parents: [PID]", "parents: []")]),
    ("E204", "PID.parents", "parents: [CRN]", [("parents: []", "parents: [CRN]")]),
    (
        "E205",
        "CSV.critical_parents.PID",
        "      PID:\n",
        [("rationale: Coverage is PHI.", "rationale: x\n        when: always # ")],
    ),
    ("E206", "CSV.critical_parents.PID", "      PID:\n", [(EDGE, "        sources: []\n")]),
    ("E207", "CSV.precedence", "precedence: '<='", [(STRICT, "precedence: '<=' # ")]),
    (
        "E208",
        "CSV.precedence",
        "precedence: '<='",
        [(STRICT, "low_harm: true\n    precedence: '<=' # ")],
    ),
    ("W209", "CSV.critical_parents.PID", "      PID:\n", [(EDGE, "        sources: [SITE]\n")]),
    (
        "W210",
        "CSV.critical_parents.PID",
        "      PID:\n",
        [("required: always\n    parents: []", "required: optional\n    parents: []")],
    ),
    (
        "W211",
        "DFV.critical_parents.PID",
        "critical_parents: {PID: {}, CSV: {}}",
        [
            (
                "    parents: [PID, CSV]\n    starts:",
                "    parents: [PID, CSV]\n    critical_parents: {PID: {}, CSV: {}}\n    starts:",
            ),
        ],
    ),
    ("W212", "phases", "phases:\n", [("    critical_parents:\n", "    note: >\n")]),
    ("W213", "CRN", "  - id: CRN", [("parents: [CSV]", "parents: []")]),
    ("E302", "DCC.required.when", "restricted}", [("not restrictions}", "not restricted}")]),
    ("E302", "DCC.required.when", "DRX passed", [("DRC passed and", "DRX passed and")]),
    ("E302", "DCC.required.when", "call.kind", [("not restrictions}", "not call.kind}")]),
    (
        "E302",
        "CSV.critical_parents.PID.when",
        "when: nothing",
        [(EDGE, EDGE + "        when: nothing\n")],
    ),
    ("E302", "applies_to", "applies_to:", [("applies_to: call.type", "applies_to: call.kind")]),
    (
        "E302",
        "applies_to",
        "applies_to:",
        [("applies_to: call.type", "applies_to: PID passed and call.type")],
    ),
    (
        "E302",
        "CRN.facts",
        "facts: [mood]",
        [("    parents: [CSV]\n", "    parents: [CSV]\n    facts: [mood]\n")],
    ),
    (
        "E303",
        "DRC.required.when",
        "when: DCC passed",
        [
            (
                "    required: always\n    for_each: call.medications\n",
                "    required: {when: DCC passed}\n    for_each: call.medications\n",
            ),
        ],
    ),
    ("E304", "facts.restrictions.from", "from: DRX", [("from: DRC", "from: DRX")]),
    (
        "W305",
        "facts.restrictions.unknown",
        "unknown: allow",
        [("unknown: review", "unknown: allow")],
    ),
    (
        "W306",
        "PID.required.when",
        "when: CRN passed",
        [("required: always\n    parents: []", "required: {when: CRN passed}\n    parents: []")],
    ),
    (
        "W307",
        "DCC.required.when",
        "or not DRC",
        [("passed and not restrictions}", "passed or not DRC passed}")],
    ),
    (
        "E308",
        "phases",
        "phases:\n",
        [("required: always\n", "required: optional\n")] * 5
        + [("required: always,", "required: optional,")],
    ),
    ("W309", "facts.copay_usd", "  copay_usd:", [("    facts: [copay_usd]\n", "")]),
    (
        "E310",
        "CSV.accept.plan.when",
        "when: PID passed",
        [("      - id: plan\n", "      - id: plan\n        when: PID passed\n")],
    ),
    (
        "E310",
        "CSV.accept.plan.when",
        "when: call.x",
        [("      - id: plan\n", "      - id: plan\n        when: call.x\n")],
    ),
    ("E401", "CSV.starts[0].re", "card)", [start("(?i)coverage(?! card)")]),
    ("E401", "CSV.starts[0].re", "(?<=", [start("(?<=no )coverage")]),
    ("E401", "CSV.starts[0].re", "\\1", [start("(a)\\1")]),
    ("E401", "CSV.starts[0].re", "re: '(a'", [start("(a")]),
    ("E401", "CSV.starts[0].unless", "unless: '[", [start("a", ", by: [agent], unless: '['")]),
    ("E402", "CSV.starts[0].re", "(coverage)?'", [start("(?i)(coverage)?")]),
    ("E402", "CSV.starts[0].re", "coverage|", [start("coverage|\\b")]),
    ("E403", "CSV.starts[0]", "re: coverage", [(CSV_ASK, "    starts:\n      - {re: coverage}\n")]),
    ("E404", "CSV.starts[0].by", "[bot]", [start("coverage", ", by: [bot]")]),
    (
        "E404",
        "CRN.accept.rep_name.match[0].answer_by",
        "[bot]",
        [(CRN_NAME, "- {ask: name, by: [agent], answer_by: [bot]}")],
    ),
    (
        "E404",
        "labels.caller",
        "caller: nobody",
        [("defaults:", "labels: {caller: nobody}\ndefaults:")],
    ),
    (
        "E405",
        "CSV.starts[2].ui",
        "worksheet.opened",
        [(CSV_STARTS_END, "      - {ui: worksheet.opened}\n")],
    ),
    (
        "E405",
        "CSV.starts[2].ui",
        "ui: worksheet.set",
        [(CSV_STARTS_END, "      - {ui: worksheet.set}\n")],
    ),
    (
        "E405",
        "CSV.starts[2].where",
        "where: {page",
        [(CSV_STARTS_END, "      - {ui: worksheet.section_opened, where: {page: x}}\n")],
    ),
    (
        "E405",
        "DFV.for_each",
        "for_each: {tool: crm.x}",
        [("for_each: call.medications  ", "for_each: {tool: crm.x} ")],
    ),
    ("E406", "CSV.starts", "starts: []", [(CSV_ASK, "    starts: []\n    ack:\n")]),
    ("W407", "CSV.starts[0].by", "[agent, ivr]", [start("coverage", ", by: [agent, ivr]")]),
    ("W408", "CSV.starts[0].re", "verify.*", [start("verify.*coverage")]),
    (
        "W409",
        "DRC.starts[1]",
        "{section: formulary}}\n    accept:\n      - id: prior",
        [("{section: restrictions}", "{section: formulary}")],
    ),
    (
        "E410",
        "DFV.for_each",
        "call.drugs",
        [("for_each: call.medications  ", "for_each: call.drugs ")],
    ),
    (
        "W411",
        "CSV.ack_required",
        "ack_required: true  ",
        [
            (
                "        ack: [{re: '(?i)\\byou (said|mentioned",
                "        ack: []\n        # ack: [{re: '",
            )
        ],
    ),
    ("E412", "DFV.graded", "graded: {tau", [("tau: 0.8", "tau: 1.4")]),
    ("E413", "DFV.graded", "graded: {tau", [("tau: 0.8", "tau: 0.8, decisional: true")]),
    (
        "E414",
        "CRN.accept.rep_name.match[0]",
        "{ask: name",
        [(CRN_NAME, "- {ask: name, by: [agent]}")],
    ),
    (
        "E415",
        "CRN.accept.rep_name.match[0]",
        "within_seconds",
        [
            ("clock: exact ", "clock: coarse "),
            (CRN_NAME, "- {re: name, by: [rep], within_seconds: 60}"),
        ],
    ),
    (
        "W416",
        "CRN.starts",
        "starts: []",
        [("    parents: [CSV]\n    starts:\n", "    parents: [CSV]\n    starts: []\n    ack:\n")],
    ),
    (
        "W417",
        "CSV.ack",
        "    ack: [{re: said",
        [
            (
                "    ack_required: true           #",
                "    ack: [{re: said, by: [agent]}]\n    ack_required: true #",
            ),
        ],
    ),
    (
        "E419",
        "PID.accept.payer_match.match[0]",
        "{tool: worksheet.set, where: {field: identity",
        [(PAYER, PAYER + "          - {tool: worksheet.set, where: {field: identity}}\n")],
    ),
    ("E420", "CSV.starts[0].re", "{0,501}", [start("a.{0,501}b")]),
    ("E420", "CSV.starts[0].re", "pL", [start("(\\pL{40} ){10}")]),
    ("E421", "DFV.graded", "graded: {}", [("graded: {tau: 0.8}", "graded: {}")]),
    ("E422", "CSV.critical_parents.PID", "      PID:\n", [(EDGE, EDGE + "        scope: item\n")]),
    ("W423", "CSV.starts[0].re", "caf\u00e9", [start("\\bcaf\u00e9\\b")]),
    ("W424", "PID", "  - id: PID", []),
    ("E426", "facts.copay_usd.type", "type: string\n    from: DCC", [NUMBER_AS_WORDS]),
    ("E425", "facts.copay_usd.value.re", "value: {re:", [("(?P<value>", "(?P<amount>")]),
    (
        "E501",
        "CRN.rubric.fail",
        '      fail:\n        - "Rep: We do not',
        [('        - "Rep: You can just call back any time."\n', "")],
    ),
    (
        "W502",
        "CRN.rubric.fail",
        '      fail:\n        - "Rep: You can just',
        [
            (
                '        - "Rep: We do not give',
                '        - "Rep: No."\n        - "Rep: Never."\n        - "Rep: We do not give',
            )
        ],
    ),
    (
        "E505",
        "PID.rubric.pass[0]",
        "123456789",
        [("Member ID is A B 1 2", "Member ID is 123456789")],
    ),
    ("E505", "PID.rubric.pass[0]", "303-555", [("Member ID is A B 1 2", "Call 303-555-7142")]),
    ("W506", "PID", "  - id: PID", [("      - NPI and tax ID only.", "      - " + "x " * 1300)]),
    (
        "W507",
        "DCC",
        "  - id: DCC",
        [
            (
                "    counterexamples:\n      - A queue message that",
                "    counterexamples: []\n    note: >\n      A queue message that",
            )
        ],
    ),
    (
        "E508",
        "CRN.rubric",
        '    rubric:\n      pass:\n        - "Rep: My name is Ana',
        [
            (
                "Rep: We do not give reference numbers.",
                "Agent: What is your name? Rep: Bo, last initial R. "
                "Your reference number is 9 1 1 2.",
            )
        ],
    ),
    (
        "W509",
        "PID.intent",
        "intent: x",
        [("intent: The payer has matched", "intent: x" + "x" * 200)],
    ),
    ("E601", "owner", "owner:", [(", contact: benefits-catalog@example.org", "")]),
    ("E602", "approvers", "approvers:", [("status: draft  ", "status: published  ")]),
    (
        "E602",
        "approvers",
        "approvers:",
        [
            ("status: draft  ", "status: published  "),
            ("approvers: []", "approvers: [{name: catalog author}]"),
        ],
    ),
    (
        "E603",
        "approvers[0]",
        "approvers:",
        [("approvers: []", "approvers: [{name: A, digest: stale}]")],
    ),
    ("E604", "changelog", "changelog:", [("- {version: 1.0.0, date", "- {version: 0.9.0, date")]),
    ("W605", "review_by", "review_by:", [("review_by: 2027-01-01", "review_by: 2026-06-01")]),
    (
        "E606",
        "waivers[0]",
        "{rule: W201",
        [
            (
                "defaults:",
                "waivers:\n  - {rule: W201, reason: '', by: x, until: 2027-01-01}\ndefaults:",
            )
        ],
    ),
    (
        "E606",
        "waivers[0]",
        "{rule: W201",
        [
            (
                "defaults:",
                "waivers:\n  - {rule: W201, reason: r, by: x, until: 2026-11-28}\ndefaults:",
            )
        ],
    ),
    (
        "E611",
        "CSV.critical_parents.PID.sources",
        "sources: [HIPPA]",
        [(EDGE, "        sources: [HIPPA]\n")],
    ),
    ("E611", "PID.basis", "basis: [HIPPA]", [("basis: [HIPAA_VERIFY, MAC_CTI]", "basis: [HIPPA]")]),
    (
        "W612",
        "sources.OLD",
        "OLD:",
        [("sources:\n", "sources:\n  OLD: {kind: guidance, cite: x, says: y}\n")],
    ),
    (
        "W613",
        "CRN",
        "  - id: CRN",
        [("representative name\n    basis: [SITE]", "representative name\n    basis: []")],
    ),
    ("E614", "title", "title:", [("title: Payer", "title: Pay\u202eer")]),
    (
        "E614",
        "PID.starts[0].re",
        "rify the (patient",
        [("verify the (patient", "v\u0435rify the (patient")],
    ),
    (
        "E614",
        "PID.accept.payer_match.text",
        "text: The\u200b representative",
        [("text: The representative", "text: The\u200b representative")],
    ),
    (
        "W615",
        "CSV.starts[0].unless",
        "unless: '(x)?'",
        [start("coverage", ", by: [agent], unless: '(x)?'")],
    ),
    ("E701", "tests", "tests:", [("tests: ", "tests: []\nextends: # ")]),
    ("W801", "languages", "languages:", [("languages: [en-US]", "languages: [en-US, es-US]")]),
]


def findings_of(data: bytes) -> tuple[Finding, ...]:
    document, found = load_document(data)
    assert document is not None, found
    return lint(document, today=TODAY)


def ids(case: tuple[str, str, str, list[Change]]) -> str:
    return f"{case[0]} {case[1]}"


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_bad_examples(case: tuple[str, str, str, list[Change]]) -> None:
    code, where, at, changes = case
    if code == "E701":
        data = edited().split(b"\ntests:")[0] + b"\ntests: []\nchangelog:\n  - {version: 1.0.0}\n"
    else:
        data = edited(*changes)
    found = [finding for finding in findings_of(data) if finding.code == code]
    assert where in [finding.where for finding in found], findings_of(data)
    finding = next(finding for finding in found if finding.where == where)
    assert finding.line == line_of(data, at)
    assert finding.severity is (Severity.ERROR if code[0] == "E" else Severity.WARNING)
    assert len(finding.text) > 20


def test_every_rule_has_a_bad_example() -> None:
    assert {rule.code for rule in RULES} <= {case[0] for case in CASES}


def test_rules_are_in_the_order_of_their_numbers() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(codes, key=lambda code: code[1:])
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("name", NAMES)
def test_shipped_catalogs(name: str) -> None:
    assert findings_of(shipped(name)) == ()
    assert guard(shipped(name)) == ()


def test_the_base_catalogs_leave_only_the_policy_at_a_gate_open() -> None:
    for name in ("benefits_verification.yaml", "micro.yaml"):
        assert {finding.code for finding in findings_of(base(name))} == {"W424"}


def test_guard_takes_bytes_or_a_document() -> None:
    data = edited(("parents: []", "parents: [CRN]"))
    document, _ = load_document(data)
    assert document is not None
    assert [finding.code for finding in guard(data)] == ["E204"]
    assert guard(document) == guard(data)
    assert guard(b"") != ()
    assert is_fatal(guard(data))
    assert not is_fatal(guard(base()))


def test_a_cycle_is_told_as_a_path() -> None:
    (finding,) = guard(edited(("parents: []", "parents: [CRN]")))
    assert "PID → CSV → CRN → PID" in finding.text


def test_fatal_codes_are_known_and_guarded() -> None:
    guarded = {rule.code for rule in GUARD_RULES}
    raised_at_load = {code for code in FATAL if code.startswith(("E10", "E11"))} | {
        "E301",
        "E418",
        "E616",
    }
    assert raised_at_load | guarded >= FATAL
    assert not {"E107", "E108", "E205", "E412", "E419"} & FATAL


MANY = " or ".join(
    f"{phase} {state}"
    for phase in ("PID", "CSV", "DFV")
    for state in ("passed", "failed", "started")
)


@pytest.mark.parametrize("condition", ["call.type = 'x' or not call.type = 'x'", MANY])
def test_a_constant_is_looked_for_only_where_it_can_be_told(condition: str) -> None:
    data = edited(("DRC passed and not restrictions", f'"{condition}"'))
    assert "W307" not in {finding.code for finding in findings_of(data)}


def test_a_catalog_for_every_call_needs_no_condition() -> None:
    document, _ = load_document(edited(("applies_to: ", "extends: # ")))
    assert document is not None
    assert document.applies_to is None
    assert guard(document) == ()


def test_waivers_lift_warnings_only_and_only_while_they_hold() -> None:
    waiver = "waivers:\n  - {rule: W424, reason: r, by: x, until: 2026-11-29}\n"
    waiver += "  - {rule: E701, reason: r, by: x, until: 2027-01-01}\ndefaults:"
    data = edited(("defaults:", waiver)).split(b"\ntests:")[0]
    document, _ = load_document(data + b"\nchangelog:\n  - {version: 1.0.0}\n")
    assert document is not None
    assert {finding.code for finding in lint(document, today=TODAY)} == {"E701"}
    assert {finding.code for finding in lint(document)} == {"E701"}
    late = {finding.code for finding in lint(document, today=date(2026, 11, 30))}
    assert late == {"E606", "E701", "W424"}


def test_a_pattern_with_a_flag_inside_is_fine() -> None:
    assert guard(edited(start("\\b(PPO|HMO)\\b|(?i)\\bmedicare advantage\\b"))) == ()


CYRILLIC = "\u043f\u043b\u0430\u043d"


@pytest.mark.parametrize(
    "pattern", [f"\\b{CYRILLIC}\\b", "[a-z\u0430-\u044f]+ plan", "caf\u00e9 plan"]
)
def test_other_alphabets_are_welcome(pattern: str) -> None:
    assert guard(edited(start(pattern))) == ()


def test_patterns_that_only_look_dangerous() -> None:
    # An escaped brace or dot is a character, not a repeat.
    assert guard(edited(start("a\\{9999\\}"))) == ()
    assert "W408" not in {finding.code for finding in findings_of(edited(start("a\\.*b")))}


@pytest.mark.parametrize(
    "pattern", ["a{" + "9" * 4_500 + "}", "(" * 2_000, "a" * 4_000, "x{1,1000}{1,1000}"]
)
def test_monstrous_patterns_give_findings(pattern: str) -> None:
    guard(edited(start(pattern)))


def test_good_examples_of_rules_with_a_second_side() -> None:
    document, _ = load_document(base())
    assert document is not None
    approvers = ("approvers: []", f"approvers: [{{name: B. Other, digest: {document.digest}}}]")
    published = edited(approvers, ("status: draft  ", "status: published  "))
    assert {finding.code for finding in findings_of(published)} == {"W424"}
    per_call = edited(("for_each: call.medications  ", "for_each: {tool: worksheet.set} "))
    assert guard(per_call) == ()
    both = "    critical_parents: {PID: {}, CSV: {}}\n    precedence: '<='\n    starts:"
    same_turn = edited(("    parents: [PID, CSV]\n    starts:", f"    parents: [PID, CSV]\n{both}"))
    assert "W211" not in {finding.code for finding in findings_of(same_turn)}


def test_a_note_only_informs() -> None:
    assert note("N001", "turn 42", "This only informs.").severity is Severity.NOTE

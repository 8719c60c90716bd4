"""Loading: hostile and broken files give findings with line and sentence, and never raise."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalogs.core.canonical import content_digest
from catalogs.core.document import (
    LOAD_FATAL,
    AskMatcher,
    Document,
    EventMatcher,
    ListKey,
    Mode,
    OkPolicy,
    RequiredKind,
    Scope,
    StartsOn,
    TextMatcher,
    ToolKey,
    in_words,
    load_document,
)
from catalogs.core.document.plain import scalar_of, text_of
from catalogs.core.linter import guard
from tests.unit.catalogs.catalog_text import NAMES, base, edited, line_of, shipped

BOMB = b"a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n"

HOSTILE: list[tuple[str, bytes, str, int | None]] = [
    ("alias bomb", BOMB, "E115", 1),
    ("alias", b"a: 1\nb: *a\n", "E115", 2),
    ("alias as a key", b"*a : 1\n", "E115", 1),
    ("anchor", b"a: 1\nb: &x 2\n", "E115", 2),
    ("merge key", b"a:\n  <<: {b: 1}\n", "E115", 2),
    ("tag that builds objects", b"a: !!python/object/apply:os.system [x]\n", "E115", 1),
    ("tag of our own", b"a: !secret x\n", "E115", 1),
    ("bare tag", b"a: ! x\n", "E115", 1),
    ("directive", b"%YAML 1.1\n---\na: 1\n", "E115", 2),
    ("too many values", b"a: [" + b"1, " * 50_001 + b"1]", "E114", 1),
    ("too many lines", b"a:\n" + b"- 1\n" * 50_001, "E114", 49_999),
    ("too deep, flow", b"a: " + b"[" * 60 + b"]" * 60, "E114", 1),
    ("too deep, block", b"\n".join(b" " * n + b"a:" for n in range(60)), "E114", 41),
    ("too deep, never closed", b"[" * 100_000, "E114", 1),
    ("too large", b"# " + b"x" * 1_048_576, "E110", 1),
    ("a line without end", b"a: 1\nb: " + b"!" * 20_000, "E114", 2),
    ("key twice", b"a: 1\nb: 2\na: 3\n", "E103", 3),
    ("key twice, spelled in two ways", b"a: 1\n'a': 2\n", "E103", 2),
    ("key twice, inside", b"a:\n  b: 1\n  b: 2\n", "E103", 3),
    ("not a word as a key", b"yes: 1\n", "E117", 1),
    ("number as a key", b"1: 1\n", "E117", 1),
    ("nothing as a key", b": 1\n", "E117", 1),
    ("list as a key", b"? [a]\n: 1\n", "E117", 1),
    ("mapping as a key", b"{{a: 1}: 2}", "E117", 1),
    ("nan", b"a: 1\nb: .nan\n", "E116", 2),
    ("infinity", b"a: -.inf\n", "E116", 1),
    ("exponent", b"a: 1e5\n", "E116", 1),
    ("hexadecimal", b"a: 0x1F\n", "E116", 1),
    ("octal", b"a: 012\n", "E116", 1),
    ("minutes", b"a: 1:30\n", "E116", 1),
    ("underscores", b"a: 1_000\n", "E116", 1),
    ("huge number", b"a: " + b"9" * 4_000 + b"\n", "E116", 1),
    ("no such day", b"a: 2026-02-30\n", "E116", 1),
    ("time of day", b"a: 2026-02-03 10:00\n", "E116", 1),
    ("not UTF-8", b"a: 1\nb: \xff\xfe\n", "E111", 2),
    ("UTF-16", "a: 1\n".encode("utf-16"), "E111", 1),
    ("byte order mark", b"\xef\xbb\xbfa: 1\n", "E111", 1),
    ("null byte", b"a: 1\nb: x\0y\n", "E113", 2),
    ("null byte, escaped", b'a: 1\nb: "x\\0y"\n', "E113", 2),
    ("lone surrogate, escaped", b'a: "\\ud800"\n', "E113", 1),
    ("control character in a key", b'"a\\x07": 1\n', "E113", 1),
    ("empty file", b"", "E112", 1),
    ("comments only", b"# nothing\n\n", "E112", 1),
    ("directive that the library chokes on", b"%YAML 1.9\r\r2,YAA", "E112", 1),
    ("control character of another century", "a: x\u0081\n".encode(), "E113", 1),
    ("two documents", b"a: 1\n---\nb: 2\n", "E112", 2),
    ("open quote", b'a: 1\nb: "x\n', "E112", 2),
    ("open bracket on the only line", b"a: [1,\n", "E112", 1),
    ("open bracket before blank lines", b"a: [1,\n\n\n", "E112", 3),
    ("open bracket", b"a: [1, 2\nb: 3\n", "E112", 2),
    ("tabs", b"a:\n\tb: 1\n", "E112", 2),
    ("bad indent", b"a: 1\n  b: 2\n", "E112", 2),
    ("list at the top", b"- a\n- b\n", "E117", 1),
    ("text at the top", b"hello\n", "E117", 1),
    ("null at the top", b"~\n", "E117", 1),
]


@pytest.mark.parametrize(
    ("data", "code", "line"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE]
)
def test_hostile_files(data: bytes, code: str, line: int | None) -> None:
    document, findings = load_document(data)
    assert document is None
    found = [finding for finding in findings if finding.code == code]
    assert found, findings
    assert found[0].line == line
    assert len(found[0].text) > 20
    assert code in LOAD_FATAL


def test_many_problems_are_cut_off() -> None:
    for data in (b"a: 1\n" * 3_000, b"".join(b"k%d: 1\n" % n for n in range(3_000))):
        document, findings = load_document(data)
        assert document is None
        assert len(findings) <= 201
        assert "E114" in {finding.code for finding in findings}


def test_a_flood_of_warnings_does_not_hide_an_error() -> None:
    noise = ", ".join(f"cut off {n}" for n in range(300))
    data = edited(("owner: {name", f"owner: {{{noise}, name"), ("clock: exact ", "clock: rough "))
    assert load_document(data)[0] is None


Change = tuple[str, str]

MISTAKES: list[tuple[str, Change, str, str, str, str]] = [
    (
        "misspelt key",
        ("    critical_parents:", "    critical_parent:"),
        "E101",
        "CSV.critical_parent",
        "critical_parent:",
        "did you mean 'critical_parents'",
    ),
    (
        "key of no meaning",
        ("clock: exact", "weather: fine\nclock: exact"),
        "E101",
        "weather",
        "weather:",
        "catalog-format.md",
    ),
    (
        "missing key",
        ("    intent: Learn whether", "    note: Learn whether"),
        "E102",
        "CSV",
        "- id: CSV",
        "'intent' is missing",
    ),
    (
        "phase twice",
        ("  - id: CRN", "  - id: DCC"),
        "E104",
        "DCC",
        "id: DCC\n    name: Call reference",
        "used twice",
    ),
    (
        "phase id",
        ("  - id: CRN", "  - id: call ref"),
        "E105",
        "call ref",
        "id: call ref",
        "capitals",
    ),
    (
        "fact id",
        ("  copay_usd:\n", "  and:\n"),
        "E105",
        "facts.and",
        "  and:",
        "condition language",
    ),
    (
        "slug",
        ("catalog: benefits-verification", "catalog: B V"),
        "E105",
        "catalog",
        "catalog: B V",
        "letters",
    ),
    ("format", ("oip-catalog/1", "oip-catalog/9"), "E106", "format", "format:", "oip-catalog/1"),
    ("version", ("version: 1.0.0", "version: v1"), "E107", "version", "version: v1", "1.0.0"),
    (
        "version as a number",
        ("version: 1.0.0", "version: 1.0"),
        "E107",
        "version",
        "version: 1.0",
        "1.0.0",
    ),
    (
        "window",
        ("to: null, by", "to: 2025-01-01, by"),
        "E108",
        "effective",
        "effective:",
        "before it begins",
    ),
    (
        "item twice",
        ("- id: tier", "- id: formulary_status"),
        "E109",
        "DFV.accept.formulary_status",
        "- id: formulary_status\n        text: Tier",
        "twice",
    ),
    (
        "item id that YAML reads as true",
        ("- id: plan", "- id: yes"),
        "E109",
        "CSV.accept[0].id",
        "- id: yes",
        "quotes",
    ),
    (
        "expression",
        ("DRC passed and not restrictions", "DRC passed && !restrictions"),
        "E301",
        "DCC.required.when",
        "&&",
        "at character 12",
    ),
    (
        "edge condition",
        (
            "    critical_parents:\n      PID:",
            "    critical_parents:\n      PID:\n        when: or",
        ),
        "E301",
        "CSV.critical_parents.PID.when",
        "when: or",
        "at character 1",
    ),
    (
        "finish",
        ("finish: all_accepted  ", "finish: last  "),
        "E418",
        "DFV.finish",
        "finish: last",
        "any_accepted",
    ),
    (
        "text wanted",
        ("name: Call reference and representative name", "name: 12"),
        "E117",
        "CRN.name",
        "name: 12",
        "the number 12; put quotes",
    ),
    (
        "two kinds of matcher",
        ("{ui: worksheet.section_opened,", "{re: x, ui: worksheet.section_opened,"),
        "E119",
        "PID.starts[2]",
        "{re: x",
        "exactly one",
    ),
    (
        "within beside re",
        (
            "by: [rep]}\n      - {re: '(?i)\\b(member",
            "by: [rep], within: 2}\n      - {re: '(?i)\\b(member",
        ),
        "E119",
        "PID.starts[0].within",
        "within: 2",
        "beside 're'",
    ),
    (
        "fact without a decision",
        ("    value: {re:", "    # value: {re:"),
        "E119",
        "facts.copay_usd",
        "copay_usd:",
        "exactly one of true_if and value",
    ),
    (
        "required",
        ("required: {when: DRC passed and not restrictions}", "required: sometimes"),
        "E118",
        "DCC.required",
        "sometimes",
        "optional",
    ),
]


@pytest.mark.parametrize(
    ("change", "code", "where", "at", "words"),
    [row[1:] for row in MISTAKES],
    ids=[row[0] for row in MISTAKES],
)
def test_mistakes(change: tuple[str, str], code: str, where: str, at: str, words: str) -> None:
    data = edited(change)
    document, findings = load_document(data)
    found = [finding for finding in findings if finding.code == code]
    assert [finding.where for finding in found] == [where], findings
    assert words in found[0].text
    assert found[0].line == line_of(data, at)
    assert (document is None) == (code in LOAD_FATAL)


KINDS: list[tuple[str, Change, str, str]] = [
    (
        "text for keys",
        ("owner: {name: Benefits operations lead, ", "owner: nobody # {"),
        "E117",
        "owner",
    ),
    (
        "number for a matcher",
        ("    true_if:\n", "    true_if:\n      - 7\n"),
        "E117",
        "facts.restrictions.true_if[0]",
    ),
    ("names wanted", ("speakers:  ", "labels: [agent]\nspeakers:  "), "E117", "labels"),
    (
        "outcome",
        (
            "- {tool: worksheet.set, where: {field: rep",
            "- {tool: worksheet.set, ok: maybe, where: {field: rep",
        ),
        "E118",
        "CRN.accept.rep_name.match[1].ok",
    ),
    (
        "no ids",
        ("case_b_call.json, variants", "case_b_call.json, id: [], variants"),
        "E117",
        "tests[1].id",
    ),
    ("phase that is no mapping", ("phases:\n", "phases:\n  - 7\n"), "E117", "phases[0]"),
    (
        "item that is no mapping",
        ("      - id: plan\n", "      - 7\n      - id: plan\n"),
        "E117",
        "CSV.accept[0]",
    ),
    ("item id with a space", ("- id: plan\n", "- id: the plan\n"), "E109", "CSV.accept.the plan"),
    ("keys for text", ("title: Payer", "title: {a: b}\nextends: Payer # "), "E117", "title"),
    ("list for text", ("title: Payer", "title: [x]\nextends: Payer # "), "E117", "title"),
    ("date for text", ("title: Payer", "title: 2026-01-01\nextends: Payer # "), "E117", "title"),
    ("text for a date", ("review_by: 2027-01-01", "review_by: soon"), "E117", "review_by"),
    ("value of a fact", ("    value: {re: ", "    value: {ask: "), "E119", "facts.copay_usd.value"),
]


@pytest.mark.parametrize(
    ("change", "code", "where"), [row[1:] for row in KINDS], ids=[row[0] for row in KINDS]
)
def test_wrong_kinds(change: Change, code: str, where: str) -> None:
    document, findings = load_document(edited(change))
    assert document is None
    assert (code, where) in [(finding.code, finding.where) for finding in findings]


def test_building_trusts_checking_and_says_so() -> None:
    with pytest.raises(TypeError, match="str expected"):
        text_of({"a": 1}, "a")
    with pytest.raises(TypeError, match="single value"):
        scalar_of([])


def test_a_sentence_cut_by_a_comma_warns_and_still_loads() -> None:
    change = (
        'says: "Reasonable efforts to limit PHI used, disclosed',
        "says: Reasonable, disclosed",
    )
    data = edited(change, ('minimum necessary."}', "minimum necessary.}"))
    document, findings = load_document(data)
    assert document is not None
    assert [finding.code for finding in findings] == ["W120"]
    assert "quotes" in findings[0].text


def loaded(data: bytes) -> Document:
    document, findings = load_document(data)
    assert document is not None, findings
    return document


@pytest.mark.parametrize("name", NAMES)
def test_shipped_catalogs_load_clean(name: str) -> None:
    document, findings = load_document(shipped(name))
    assert document is not None
    assert findings == ()
    assert guard(shipped(name)) == ()
    assert document.digest == content_digest(document.data)


def test_values_and_defaults() -> None:
    document = loaded(base())
    assert (document.slug, document.version, document.status) == (
        "benefits-verification",
        "1.0.0",
        "draft",
    )
    assert (document.effective_from, document.effective_to) == (date(2026, 1, 1), None)
    assert (document.clock_exact, document.turn_base, document.languages) == (True, 1, ("en-US",))
    assert document.inputs == {"type": "string", "medications": "list"}
    assert document.events["worksheet.set"].self_reported
    pid, csv, dfv, _, dcc, crn = document.phases
    assert pid.required.kind is RequiredKind.ALWAYS
    assert (pid.mode, pid.starts_on, pid.volunteered) == (Mode.EITHER, StartsOn.EITHER, None)
    assert (csv.ack_required, csv.critical[0].scope, csv.critical[0].when) == (
        True,
        Scope.CALL,
        None,
    )
    assert dfv.for_each == ListKey("medications")
    assert dfv.graded_tau == Decimal("0.8")
    assert dcc.required.when is not None
    assert dcc.required.when.source == "DRC passed and not restrictions"
    assert document.facts["copay_usd"].value is not None
    assert document.facts["restrictions"].otherwise is False
    assert document.phase("CRN") is crn
    assert document.gates == {"PID"}
    with pytest.raises(KeyError):
        document.phase("XXX")


def test_matchers_carry_their_place() -> None:
    document = loaded(base())
    start = document.phase("PID").starts[2]
    assert isinstance(start, EventMatcher)
    assert (start.path, start.ok, start.where) == (
        "PID.starts[2]",
        OkPolicy.ANY,
        {"section": "patient_identity"},
    )
    tool = document.phase("CRN").accept[0].match[1]
    assert isinstance(tool, EventMatcher)
    assert (tool.path, tool.ok) == ("CRN.accept.rep_name.match[1]", OkPolicy.TRUE)
    text = document.phase("CSV").accept[1].match[0]
    assert isinstance(text, TextMatcher)
    assert text.unless is not None
    assert document.facts["restrictions"].true_if[0].path == "facts.restrictions.true_if[0]"
    ask = loaded(base("micro.yaml")).phase("PID").accept[0].match[0]
    assert isinstance(ask, AskMatcher)
    assert (ask.within, ask.answer_by) == (2, ("patient",))


def test_lines_by_index_and_in_words() -> None:
    data = base()
    document = loaded(data)
    expected = line_of(data, "accept:\n      - id: rep_name") + 1
    assert document.lines["phases[5].accept[0].id"] == expected
    assert document.line("CRN.accept.rep_name.id") == expected
    assert document.line("CRN.accept.rep_name.id.deeper[3]") == expected
    assert document.line("nowhere") is None


def test_in_words_leaves_unknown_places_alone() -> None:
    assert in_words("phases[7].id", {"phases": []}) == "phases[7].id"
    assert in_words("phases[0].accept[9]", {"phases": [{"id": "PID"}]}) == "PID.accept[9]"
    assert in_words("facts.a", None) == "facts.a"


NEW_FIELDS = """
    mode: procedural
    starts_on: answer
    volunteered: {accept: true, rationale: It counts all the same.}
    for_each: {tool: [worksheet.set], ok: any, key: call_id}
    note: A note.
"""


def test_fields_beyond_the_shipped_ones() -> None:
    document = loaded(
        edited(
            (
                "    name: Drug copayment or coinsurance\n",
                "    name: Drug copayment\n" + NEW_FIELDS,
            ),
            (
                "      - {ui: worksheet.section_opened, where: {section: cost_share}}",
                "      - {tool: worksheet.set, ok: false}\n"
                "      - {tool: worksheet.set, ok: true}\n"
                "      - {ask: cost, by: [agent], answer_by: [rep]}",
            ),
            ("defaults: {", "extends: base@1\nlabels: {caller: agent}\ndefaults: {"),
        )
    )
    phase = document.phase("DCC")
    assert (phase.mode, phase.starts_on, phase.note) == (
        Mode.PROCEDURAL,
        StartsOn.ANSWER,
        "A note.",
    )
    assert phase.volunteered is not None
    assert phase.volunteered.accept
    assert phase.for_each == ToolKey(("worksheet.set",), OkPolicy.ANY)
    assert [getattr(start, "ok", None) for start in phase.starts] == [
        None,
        OkPolicy.FALSE,
        OkPolicy.TRUE,
        None,
    ]
    assert isinstance(phase.starts[3], AskMatcher)
    assert phase.starts[3].within == 3
    assert document.labels == {"caller": "agent"}


def test_document_defaults_hold_and_a_phase_may_take_them_away() -> None:
    document = loaded(
        edited(
            ("for_each: null, graded: null", "for_each: call.medications, graded: {tau: 0.5}"),
            ("    low_harm: true\n", "    low_harm: true\n    for_each: null\n    graded: null\n"),
        )
    )
    assert document.phase("CRN").for_each == ListKey("medications")
    assert document.phase("CRN").graded_tau == Decimal("0.5")
    assert document.phase("DCC").for_each is None
    assert document.phase("DCC").graded_tau is None
    # Both ends now share the key, so the edge compares items unless it says otherwise.
    assert document.phase("CSV").critical[0].scope is Scope.ITEM


def test_digest_ignores_spelling_and_signatures() -> None:
    plain = loaded(base()).digest
    assert loaded(edited(("status: draft  ", "status: in_review  "))).digest == plain
    assert loaded(edited(("clock: exact ", "clock: 'exact' "))).digest == plain
    assert loaded(edited(("tau: 0.8", "tau: 0.80"))).digest == plain
    assert loaded(edited(("tau: 0.8", "tau: 0.81"))).digest != plain


@given(st.binary(max_size=400))
def test_arbitrary_bytes_never_raise(data: bytes) -> None:
    document, findings = load_document(data)
    assert (document is None) == any(finding.code in LOAD_FATAL for finding in findings)


@given(st.text("ab:-?[]{},&*!|>'\"%@` \n\t#<=~.0159eE\u00e9", max_size=80))
def test_arbitrary_yaml_like_text_never_raises(text: str) -> None:
    assert load_document(text.encode())[0] is None


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A catalog after a few cuts, copies and insertions."""
    data = base("micro.yaml")
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data) - 1))
        end = min(len(data), start + draw(st.integers(0, 40)))
        put = draw(
            st.sampled_from(
                [
                    b"",
                    b"\n",
                    b" ",
                    b": ",
                    b"- ",
                    b"[",
                    b"}",
                    b"null",
                    b"&a ",
                    b"*a",
                    b"!!x ",
                    b"'",
                    b'"',
                    b"0",
                    b"yes",
                    b"<<: ",
                    b"\xff",
                    b"(?=",
                    data[start:end] * 2,
                ]
            )
        )
        data = data[:start] + put + data[end:]
    return data


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(mutated())
def test_mutated_catalogs_never_raise(data: bytes) -> None:
    document, findings = load_document(data)
    assert (document is None) == any(finding.code in LOAD_FATAL for finding in findings)
    assert all(finding.text and finding.where for finding in guard(data))

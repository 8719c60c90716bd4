"""An overlay adds and tightens; everything else is E610, with the overlay's own path and line."""

from __future__ import annotations

from datetime import date

import pytest

from catalogs.core.document import Document, RequiredKind, load_document
from catalogs.core.document.origin import origin_of
from catalogs.core.findings import Finding, Severity
from catalogs.core.linter import lint, lint_against
from catalogs.core.overlay import load_catalog, load_overlay, merge, written

BASE = """\
format: oip-catalog/1
catalog: small
version: 1.2.0
title: Identity before coverage
status: draft
effective: {from: 2026-01-01}
owner: {name: Somebody, contact: somebody@example.org}
applies_to: call.type = 'small'
languages: [en-US]
clock: coarse
inputs: {call.type: string, call.kind: string}
speakers: {agent: The asking side, rep: The answering side}
sources: {RULE: {kind: regulation, cite: A rule, says: It says so.}}
facts:
  free: {type: boolean, from: TELL, meaning: Free., true_if: [{re: free, by: [agent]}]}
phases:
  - id: ID
    name: Identity
    intent: The person is known.
    starts: [{re: 'birth date', by: [agent]}]
    accept:
      - {id: given, text: The date., match: [{re: 'born', by: [rep]}]}
      - {id: found, text: The record., match: [{re: 'found', by: [rep]}]}
    rubric: {pass: [], fail: []}
  - id: TELL
    name: Coverage told
    intent: Whether it is covered.
    required: optional
    parents: [ID]
    critical_parents: {ID: {rationale: Because., sources: [RULE], when: call.kind = 'a'}}
    starts: [{re: 'benefits', by: [agent]}]
    accept: [{id: told, text: Covered., match: [{re: 'covered', by: [agent]}]}]
    facts: [free]
    ack_required: true
    low_harm: true
    rubric: {pass: [], fail: []}
  - id: PAY
    name: Amount told
    intent: What is to be paid.
    required: {when: TELL passed and not free}
    parents: [TELL]
    starts: [{re: 'costs', by: [agent]}]
    accept: [{id: amount, text: An amount., match: [{re: 'dollars', by: [agent]}]}]
    volunteered: {accept: false, rationale: Nobody asked.}
    rubric: {pass: [], fail: []}
  - id: END
    name: Good bye
    intent: The call ends well.
    required: {when: not PAY failed}
    finish: any_accepted
    starts: [{re: 'bye', by: [agent]}]
    accept:
      - {id: bye, text: Bye., match: [{re: 'good bye', by: [agent]}]}
      - {id: thanks, text: Thanks., match: [{re: 'thank you', by: [agent]}]}
    precedence: "<="
    low_harm: true
    rubric: {pass: [], fail: []}
changelog: [{version: 1.2.0}]
"""

HEAD = """\
format: oip-catalog/1
extends: small@1
catalog: small--north
version: 0.1.0
sites: [north]
effective: {from: 2026-02-01}
changelog: [{version: 0.1.0}]
"""

ITEM = "{id: more, text: More., match: [{re: more, by: [agent]}]}"
EDGE = "{rationale: Because., sources: [RULE]}"
PHASE = f"""\
  - id: NEW
    name: New
    intent: Something new.
    parents: [ID]
    critical_parents: {{ID: {EDGE}}}
    starts: [{{re: 'new', by: [agent]}}]
    accept: [{ITEM}]
    rubric: {{pass: [], fail: []}}
"""


def base() -> Document:
    document, findings = load_document(BASE.encode())
    assert document is not None, findings
    return document


def merged(body: str, today: date | None = None) -> tuple[Document, tuple[Finding, ...]]:
    overlay, findings = load_overlay((HEAD + body).encode())
    assert overlay is not None, findings
    document, found = merge(base(), overlay, today=today)
    assert document is not None, found
    return document, (*findings, *found)


def line(body: str, words: str) -> int:
    return (HEAD + body).split(words, 1)[0].count("\n") + 1


# --- what tightens ---------------------------------------------------------------------------

TIGHTER: list[tuple[str, str]] = [
    ("nothing", ""),
    ("an item", f"tighten: {{ID: {{accept: [{ITEM}]}}}}"),
    ("a phase", f"add_phases:\n{PHASE}"),
    ("an edge", f"tighten: {{PAY: {{critical_parents: {{ID: {EDGE}}}, parents: [ID]}}}}"),
    ("an edge from a new phase", f"add_phases:\n{PHASE}tighten: {{ID: {{parents: [NEW]}}}}"),
    ("an edge that binds always", "tighten: {TELL: {critical_parents: {ID: {when: always}}}}"),
    ("optional becomes owed", "tighten: {TELL: {required: always}}"),
    ("optional becomes owed at times", "tighten: {TELL: {required: {when: call.kind = 'b'}}}"),
    ("conditional becomes owed", "tighten: {PAY: {required: always}}"),
    ("acknowledgement", "tighten: {ID: {ack_required: true, ack: [{re: so, by: [agent]}]}}"),
    ("nothing volunteered", "tighten: {ID: {volunteered: {accept: false, rationale: No.}}}"),
    ("strict", 'tighten: {END: {precedence: "<"}}'),
    ("all items", f"tighten: {{END: {{finish: all_accepted, accept: [{ITEM}]}}}}"),
    ("words", "tighten: {ID: {basis: [RULE], counterexamples: [x], note: x, rubric: {pass: [y]}}}"),
    ("the base's own words", "tighten: {END: {finish: any_accepted}, TELL: {ack_required: true}}"),
]


@pytest.mark.parametrize("body", [one[1] for one in TIGHTER], ids=[one[0] for one in TIGHTER])
def test_what_tightens_is_merged_without_a_word(body: str) -> None:
    document, found = merged(body)
    assert found == ()
    assert lint_against(document, base=base()) == ()


# --- what does not ---------------------------------------------------------------------------

LOOSER: list[tuple[str, str, str, str]] = [
    ("owed less", "tighten: {ID: {required: optional}}", "tighten.ID.required", "E610"),
    (
        "another condition",
        "tighten: {PAY: {required: {when: TELL started}}}",
        "tighten.PAY.required",
        "E610",
    ),
    (
        "an item anew",
        f"tighten: {{ID: {{accept: [{ITEM.replace('more', 'given', 1)}]}}}}",
        "tighten.ID.accept[0]",
        "E610",
    ),
    (
        "one more way to finish",
        f"tighten: {{END: {{accept: [{ITEM}]}}}}",
        "tighten.END.accept[0]",
        "E610",
    ),
    (
        "another branch of an edge",
        "tighten: {TELL: {critical_parents: {ID: {when: call.kind = 'b'}}}}",
        "tighten.TELL.critical_parents.ID.when",
        "E610",
    ),
    (
        "another comparison of an edge",
        "tighten: {TELL: {critical_parents: {ID: {scope: item}}}}",
        "tighten.TELL.critical_parents.ID.scope",
        "E610",
    ),
    (
        "no acknowledgement",
        "tighten: {TELL: {ack_required: false}}",
        "tighten.TELL.ack_required",
        "E610",
    ),
    (
        "a further acknowledgement",
        "tighten: {TELL: {ack: [{re: so, by: [agent]}]}}",
        "tighten.TELL.ack",
        "E610",
    ),
    (
        "acknowledged, where nothing early counts",
        "tighten: {PAY: {ack_required: true}}",
        "tighten.PAY.ack_required",
        "E610",
    ),
    (
        "volunteered",
        "tighten: {PAY: {volunteered: {accept: true, rationale: Yes.}}}",
        "tighten.PAY.volunteered",
        "E610",
    ),
    ("a tie", 'tighten: {ID: {precedence: "<="}}', "tighten.ID.precedence", "E610"),
    ("one is enough", "tighten: {ID: {finish: any_accepted}}", "tighten.ID.finish", "E610"),
    ("starts", "tighten: {ID: {starts: [{re: x, by: [rep]}]}}", "tighten.ID.starts", "E610"),
    ("another name", "tighten: {ID: {name: Who}}", "tighten.ID.name", "E610"),
    ("instances", "tighten: {ID: {for_each: call.things}}", "tighten.ID.for_each", "E610"),
    ("mode", "tighten: {ID: {mode: informational}}", "tighten.ID.mode", "E610"),
    ("low harm", "tighten: {ID: {low_harm: true}}", "tighten.ID.low_harm", "E610"),
    (
        "contradictions",
        "tighten: {ID: {contradicts: [{re: x, by: [rep]}]}}",
        "tighten.ID.contradicts",
        "E610",
    ),
    (
        "more of a phase that a requirement reads",
        f"tighten: {{TELL: {{accept: [{ITEM}]}}}}",
        "tighten.TELL.accept",
        "E610",
    ),
    (
        "more of a phase whose fact a requirement reads, owed always or not",
        f"tighten: {{TELL: {{required: always, accept: [{ITEM}]}}}}",
        "tighten.TELL.accept",
        "E610",
    ),
    (
        "a gate by an added phase",
        f"add_phases:\n{PHASE.replace('ID: {', 'TELL: {').replace('[ID]', '[TELL]')}",
        "NEW.critical_parents",
        "E610",
    ),
    (
        "more of a phase whose failure another reads",
        f"tighten: {{PAY: {{accept: [{ITEM}]}}}}",
        "tighten.PAY.accept",
        "E610",
    ),
    (
        "a gate that a requirement reads",
        f"tighten: {{END: {{critical_parents: {{TELL: {EDGE}}}}}}}",
        "tighten.END.critical_parents",
        "E610",
    ),
    ("a phase of the base", f"add_phases:\n{PHASE.replace('NEW', 'PAY')}", "PAY", "E104"),
    ("no such phase", "tighten: {NONE: {required: always}}", "tighten.NONE", "E202"),
    (
        "another meaning of a source",
        "sources: {RULE: {kind: inference, cite: x, says: y}}",
        "sources.RULE",
        "E610",
    ),
    ("the base's language", "translate: {lang: en-US}", "translate.lang", "E610"),
    (
        "the base's language in another country",
        "translate: {lang: en-GB}",
        "translate.lang",
        "E610",
    ),
    (
        "an event in a language",
        "translate: {lang: es-US, starts: {ID: [{tool: x}]}}",
        "translate.starts.ID[0]",
        "E610",
    ),
    (
        "a translation of nothing",
        "translate: {lang: es-US, accept: {ID: [{re: x, by: [rep]}]}}",
        "translate.accept.ID",
        "E202",
    ),
]


@pytest.mark.parametrize(
    ("body", "where", "code"), [one[1:] for one in LOOSER], ids=[one[0] for one in LOOSER]
)
def test_everything_else_is_refused_with_path_and_line(body: str, where: str, code: str) -> None:
    document, found = merged(body)
    assert [(one.code, one.where) for one in found if one.code == code] == [(code, where)]
    assert all(one.line is not None and one.line >= HEAD.count("\n") + 1 for one in found)
    assert all(len(one.text) > 20 for one in found)
    # What is refused is not in the document: it asks what the base asks.
    assert lint_against(document, base=base()) == ()


def test_the_line_is_the_overlays() -> None:
    body = "tighten:\n  ID:\n    note: x\n    required: optional\n"
    _, found = merged(body)
    assert [one.line for one in found] == [line(body, "required")]


def test_only_what_weakens_is_left_out() -> None:
    document, found = merged(f"tighten: {{ID: {{required: optional, accept: [{ITEM}]}}}}")
    assert [one.code for one in found] == ["E610"]
    assert document.phase("ID").required.kind is RequiredKind.ALWAYS
    assert [item.id for item in document.phase("ID").accept] == ["given", "found", "more"]


# --- the form --------------------------------------------------------------------------------

FORMS: list[tuple[str, str, str, str, str]] = [
    ("unknown key", "changelog:", "tightens: {}\nchangelog:", "E101", "tightens"),
    (
        "unknown key within",
        "changelog:",
        "tighten: {ID: {accepts: []}}\nchangelog:",
        "E101",
        "tighten",
    ),
    ("no site", "sites: [north]\n", "", "E102", "format"),
    ("no days", "effective: {from: 2026-02-01}\n", "", "E102", "format"),
    ("no base", "small@1", "small", "E616", "extends"),
    ("a whole version", "small@1", "small@1.2.0", "E616", "extends"),
    ("a key twice", "changelog:", "version: 1.0.0\nchangelog:", "E103", "version: 1.0.0"),
    ("an item twice", "changelog:", "tighten: {ID: {accept: [%, %]}}\nchangelog:", "E109", "tight"),
]


@pytest.mark.parametrize(
    ("old", "new", "code", "at"), [one[1:] for one in FORMS], ids=[one[0] for one in FORMS]
)
def test_the_form_is_refused_with_its_line(old: str, new: str, code: str, at: str) -> None:
    text = HEAD.replace(old, new.replace("%", ITEM), 1)
    overlay, found = load_overlay(text.encode())
    assert overlay is None
    assert code in {one.code for one in found}
    [first] = [one for one in found if one.code == code][:1]
    assert first.line == text.split(at, 1)[0].count("\n") + 1


def test_an_overlay_alone_is_no_catalog() -> None:
    document, found = load_document(HEAD.encode())
    assert document is None
    assert [(one.code, one.line) for one in found] == [("E616", 2)]


def test_a_catalog_is_no_overlay() -> None:
    overlay, found = load_overlay(BASE.encode())
    assert overlay is None
    assert {one.code for one in found} == {"E616"}


def test_a_text_may_be_either() -> None:
    catalog = load_catalog(BASE.encode(), lambda _: None)
    assert (catalog.document, catalog.overlay) == (base(), None)
    alone = load_catalog(HEAD.encode(), lambda _: None)
    assert (alone.document, [one.code for one in alone.findings]) == (None, ["E616"])
    whole = load_catalog(HEAD.encode(), lambda overlay: base())
    assert whole.document is not None
    assert (whole.findings, whole.base) == ((), base())


def test_an_unreadable_condition_is_said_where_it_stands() -> None:
    body = "tighten:\n  TELL:\n    required: {when: ID passed &&}\n"
    overlay, _ = load_overlay((HEAD + body).encode())
    assert overlay is not None
    document, found = merge(base(), overlay)
    assert document is None
    assert [(one.code, one.where, one.line) for one in found] == [
        ("E301", "tighten.TELL.required.when", line(body, "required"))
    ]


# --- the merged document ---------------------------------------------------------------------


def test_the_document_names_its_base_and_its_overlay() -> None:
    tightened = f"{{accept: [{ITEM}], critical_parents: {{NEW: {EDGE}}}}}"
    body = f"add_phases:\n{PHASE}tighten: {{ID: {tightened}}}"
    overlay, _ = load_overlay((HEAD + body).encode())
    assert overlay is not None
    document, _ = merge(base(), overlay)
    assert document is not None
    origin = origin_of(document)
    assert origin is not None
    assert (origin.base_slug, origin.base_version) == ("small", "1.2.0")
    assert (origin.base_digest, origin.overlay_digest) == (base().digest, overlay.digest)
    assert (origin.sites, origin.phases) == (("north",), ("NEW",))
    assert (origin.items, origin.edges) == ({"ID": ("more",)}, {"ID": ("NEW",)})
    assert (document.slug, document.version) == ("small--north", "0.1.0")
    assert (document.applies_to, document.effective_from) == (base().applies_to, date(2026, 2, 1))
    assert document.digest != base().digest


def test_another_base_or_another_overlay_is_another_digest() -> None:
    one, _ = merged("")
    two, _ = merged("tighten: {ID: {note: x}}")
    overlay, _ = load_overlay(HEAD.encode())
    other, _ = load_document(BASE.replace("Because.", "Why.").encode())
    assert overlay is not None
    assert other is not None
    three, _ = merge(other, overlay)
    assert three is not None
    assert len({one.digest, two.digest, three.digest}) == 3


def test_its_text_reads_as_the_same_document() -> None:
    document, _ = merged(f"add_phases:\n{PHASE}")
    again, findings = load_document(written(document))
    assert findings == ()
    assert again is not None
    assert (again.digest, again.phases) == (document.digest, document.phases)


def test_its_lines_are_those_of_the_overlay() -> None:
    body = f"add_phases:\n{PHASE.replace('[ID]', '[ID, NONE]')}"
    document, _ = merged(body)
    [finding] = [one for one in lint(document) if one.code == "E202"]
    assert finding.line == line(body, "parents:")
    assert document.line("NEW.starts[0].re") == line(body, "starts:")
    assert document.line("ID.starts[0]") is None


def test_tests_of_the_same_call_take_the_place_of_the_bases() -> None:
    text = BASE + "tests: [{call: b.json, variants: all}, {call: b.json}, {call: a.json}]\n"
    document, _ = load_document(text.encode())
    body = "tests: [{call: b.json, expect: {coverage: 0}}, {call: c.json}]"
    overlay, _ = load_overlay((HEAD + body).encode())
    assert document is not None
    assert overlay is not None
    site, _ = merge(document, overlay)
    assert site is not None
    assert site.data["tests"] == [
        {"call": "a.json"},
        {"call": "b.json", "expect": {"coverage": 0}},
        {"call": "c.json"},
    ]


# --- translations and waivers ----------------------------------------------------------------


def test_a_translation_is_heard_beside_the_base() -> None:
    body = """\
translate:
  lang: es-US
  starts: {ID: [{re: 'fecha', by: [agent]}]}
  accept: {ID.given: [{re: 'nacido', by: [rep]}]}
  true_if: {free: [{re: 'gratis', by: [agent]}]}
"""
    document, found = merged(body)
    assert found == ()
    assert document.languages == ("en-US", "es-US")
    heard = [*document.phase("ID").starts, *document.phase("ID").accept[0].match]
    heard += document.facts["free"].true_if
    assert [getattr(one, "lang", None) for one in heard] == [None, "es-US"] * 3
    assert document.line("ID.starts[1]") == line(body, "starts:")


WAIVED = "tighten: {ID: {required: optional}}\nwaivers:\n  - {rule: E610, reason: Pilot., by: Ann"
LAST = "effective: {from: 2026-02-01, to: 2026-03-01}"
WAIVERS: list[tuple[str, str, str, date | None, list[tuple[str, Severity]], bool]] = [
    ("stands", ", until: 2026-03-01}", LAST, date(2026, 3, 1), [("E610", Severity.NOTE)], True),
    ("no day is asked", ", until: 2026-03-01}", LAST, None, [("E610", Severity.NOTE)], True),
    ("is past", ", until: 2026-03-01}", LAST, date(2026, 3, 2), [("E610", Severity.ERROR)], False),
    ("has no last day", "}", LAST, date(2026, 1, 1), [("E610", Severity.ERROR)], False),
    (
        "is outlasted",
        ", until: 2026-02-28}",
        LAST,
        date(2026, 1, 1),
        [("E610", Severity.NOTE), ("E606", Severity.ERROR)],
        True,
    ),
    (
        "never ends",
        ", until: 2026-02-28}",
        "effective: {from: 2026-02-01}",
        date(2026, 1, 1),
        [("E610", Severity.NOTE), ("E606", Severity.ERROR)],
        True,
    ),
]


@pytest.mark.parametrize(
    ("until", "days", "today", "wanted", "weaker"),
    [one[1:] for one in WAIVERS],
    ids=[one[0] for one in WAIVERS],
)
def test_a_waiver_counts_up_to_its_day(
    until: str,
    days: str,
    today: date | None,
    wanted: list[tuple[str, Severity]],
    weaker: bool,
) -> None:
    text = HEAD.replace("effective: {from: 2026-02-01}", days) + WAIVED + until + "\n"
    overlay, _ = load_overlay(text.encode())
    assert overlay is not None
    document, found = merge(base(), overlay, today=today)
    assert document is not None
    assert sorted((one.code, one.severity.value) for one in found) == sorted(
        (code, severity.value) for code, severity in wanted
    )
    assert (document.phase("ID").required.kind is RequiredKind.OPTIONAL) is weaker
    assert bool(lint_against(document, base=base())) is weaker

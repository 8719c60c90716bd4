"""The reference pages that are made from the code: what findings mean, which formats of calls are
read, who may do what, which state follows which, and which sentences the shipped catalogs
recognise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import cleandoc
from itertools import groupby

from catalogs.core.linter import FATAL, GUARD_RULES
from catalogs.core.linter.texts import Entry
from oipsce_site.people.matrix import BY_A_SECOND_PERSON, COLUMNS, MATRIX, Reach
from review.core.lifecycle import SENTENCES, TRANSITIONS, CallState
from review.core.parsers import by_title
from review.core.rehearsal.texts import REFERENCE, REHEARSAL
from review.management.sentences_page import sentences_page

_MADE = "<!-- Written by `manage.py write_reference_docs` (make docs); edit the code instead. -->"
_GROUPS: Mapping[str, str] = {
    "1": "The file and its shape",
    "2": "The order and its critical edges",
    "3": "Conditions and facts",
    "4": "Matchers and policies",
    "5": "Examples",
    "6": "Governance and versions",
    "7": "Tests",
    "8": "Languages",
}
_GUARDED = frozenset(rule.code for rule in GUARD_RULES)
_REHEARSED = frozenset(entry.code for entry in REHEARSAL)


def findings_page() -> str:
    """Write the page with one entry per code."""
    lines = [
        "# Findings",
        "",
        _MADE,
        "",
        "Everything that `lint_catalog` and `test_catalog` can say of a catalog. An E stops",
        "publishing, a W is for a person to read; a warning may be waived in the catalog with a",
        "reason, a person and a last day. Codes are never used twice.",
        "",
    ]
    by_group = groupby(REFERENCE.values(), key=lambda entry: entry.code[1])
    for number, entries in by_group:
        lines += [f"## {_GROUPS[number]}", ""]
        for entry in entries:
            lines += _entry(entry)
    return "\n".join(lines)


def _entry(entry: Entry) -> Iterator[str]:
    yield f"### {entry.code}"
    yield ""
    yield f"{entry.what}"
    yield ""
    yield f"- Why: {entry.why}"
    yield f"- To mend: {entry.mend}"
    yield f"- Found {_when(entry.code)}."
    yield ""


def _when(code: str) -> str:
    if code in FATAL:
        return "at every load; no call is judged by a catalog that has it"
    if code in _REHEARSED:
        return "when the examples and tests are run"
    if code in _GUARDED or code[1] == "1":
        return "at every load; it is printed and stops publishing only"
    return "by `lint_catalog` and before publishing"


def states_page() -> str:
    """Write the page with the states of a call and every transition."""
    lines = [
        "# The states of a call",
        "",
        _MADE,
        "",
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> RECEIVED",
        *(
            f"    {one.source.value} --> {one.target.value}: {one.owner.value}"
            for one in TRANSITIONS
        ),
        "```",
        "",
        "| state | meaning | may become |",
        "| --- | --- | --- |",
        *(_state(state) for state in CallState),
        "",
        "In the diagram each arrow names the part of the product that makes the move.",
        "",
    ]
    return "\n".join(lines)


def _state(state: CallState) -> str:
    targets = [
        f"{one.target.value} ({one.owner.value})" for one in TRANSITIONS if one.source is state
    ]
    return f"| {state.value} | {SENTENCES[state]} | {', '.join(targets) or 'nothing: it stays'} |"


def permissions_page() -> str:
    """Write the page with every act and how far each role carries it."""
    names = [str(role.label) for role in COLUMNS]
    lines = [
        "# Who may do what",
        "",
        _MADE,
        "",
        f"| act | {' | '.join(names)} |",
        f"| --- |{' --- |' * len(names)}",
        *(
            f"| {act.value} | {' | '.join(_REACHES[row[role]] for role in COLUMNS)} |"
            for act, row in MATRIX.items()
        ),
        "",
        "- **sites**: at the sites where the role is held. What belongs to another site is not",
        "  there for them: the page answers as for something that does not exist.",
        "- **yes**: everywhere; catalogs and accounts belong to the organisation, not to a site.",
        "- **never**: not even by another role that the person holds beside this one.",
        "- Never on what one wrote or asked for oneself: "
        f"{', '.join(sorted(act.value for act in BY_A_SECOND_PERSON))}.",
        "- Whoever may do a thing in several roles acts in the first one of this order, and the",
        "  decision log says in which.",
        "- One's own password, second factor and sessions are everybody's own.",
        "",
    ]
    return "\n".join(lines)


_REACHES: Mapping[Reach, str] = {
    Reach.NO: "",
    Reach.SITE: "sites",
    Reach.EVERYWHERE: "yes",
    Reach.NEVER: "never",
}


#: Every page by the name of its file under docs/reference.
def formats_page() -> str:
    """Write the page with one entry per format of calls."""
    lines = [
        "# Formats of calls",
        "",
        _MADE,
        "",
        "Every format that an import reads, with what its reader does. A file is recognised by its",
        "content; the name in brackets is for `--format` where that went wrong. What holds for all",
        "of them, and what each finding asks for, is in [call-format.md](../call-format.md).",
        "",
    ]
    for form in by_title():
        lines += [f"## {form.title} (`{form.name}`)", "", cleandoc(form.about), ""]
    return "\n".join(lines)


PAGES: Mapping[str, Callable[[], str]] = {
    "findings.md": findings_page,
    "formats.md": formats_page,
    "permissions.md": permissions_page,
    "sentences.md": lambda: sentences_page(_MADE),
    "states.md": states_page,
}

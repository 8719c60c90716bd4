"""A draft as a form: every field writes to one place of the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from catalogs.core.document import Document, Phase
from catalogs.core.findings import Finding
from catalogs.presenters.expression_names import ExpressionNames, names_for
from catalogs.presenters.matchers import show_matcher
from catalogs.presenters.order import OrderEdge, edges_of
from catalogs.presenters.order_picture import OrderPicture, draw_order
from catalogs.presenters.phase_cards import critical_rule

_CHOICES = {
    "mode": ("procedural", "informational", "either"),
    "starts_on": ("ask", "answer", "either"),
    "precedence": ("<", "<="),
    "finish": ("all_accepted", "any_accepted"),
}
_LABELS = {
    "mode": "Must it be asked for",
    "starts_on": "What enters it",
    "precedence": "A critical parent finishes",
    "finish": "Items it needs",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `name` says how and where it writes; `choices` is empty for free words. `names` is
    the list of names that an expression in it may use; `error` says what is wrong with it.
    """

    name: str
    label: str
    value: str
    rows: int = 1
    choices: tuple[str, ...] = ()
    help: str = ""
    names: str = ""
    error: str = ""

    @property
    def id(self) -> str:
        """Return the id of the field on the page."""
        return "f-" + self.name.replace(":", "-").replace(".", "-")


@dataclass(frozen=True, slots=True)
class FormItem:
    """One acceptance item with the patterns that show it."""

    id: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class FormEdge:
    """One edge with what may be changed of it."""

    parent: str
    child: str
    is_critical: bool
    rule: str
    fields: tuple[Field, ...]

    @property
    def is_open(self) -> bool:
        """Say whether something is wrong with the edge, so that it must be seen."""
        return any(one.error for one in self.fields)


@dataclass(frozen=True, slots=True)
class FormPhase:
    """One phase with its fields."""

    id: str
    name: str
    fields: tuple[Field, ...]
    choices: tuple[Field, ...]
    anchors: tuple[Field, ...]
    items: tuple[FormItem, ...]
    examples: tuple[Field, ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class DraftForm:
    """The whole form; `cycle` says why there is no picture of the order."""

    catalog: tuple[Field, ...]
    phases: tuple[FormPhase, ...]
    edges: tuple[FormEdge, ...]
    picture: OrderPicture | None
    cycle: str
    roles: tuple[str, ...]
    sources: tuple[str, ...]
    phase_ids: tuple[str, ...]
    names: ExpressionNames


def show_form(document: Document, findings: Sequence[Finding] = ()) -> DraftForm:
    """Draw the form of a text that can be read; findings on expressions stand at their fields."""
    said = {one.where: f"{one.text} ({one.code})" for one in reversed(findings)}
    edges = edges_of(document)
    try:
        picture, cycle = draw_order(document, edges), ""
    except ValueError as knot:
        picture, cycle = None, str(knot)
    data: Any = document.data
    return DraftForm(
        catalog=tuple(_catalog(data, said)),
        phases=tuple(_phase(i, one, data, said) for i, one in enumerate(document.phases)),
        edges=tuple(_edge(edge, document, said) for edge in edges),
        picture=picture,
        cycle=cycle,
        roles=tuple(document.speakers),
        sources=tuple(document.sources),
        phase_ids=tuple(phase.id for phase in document.phases),
        names=names_for(document),
    )


def as_typed(form: DraftForm, sent: Mapping[str, str], errors: Mapping[str, str]) -> DraftForm:
    """Return the form with what was sent in its fields, and what is wrong with each, by its name.

    The phase that was sent stands open.
    """

    def typed(fields: tuple[Field, ...]) -> tuple[Field, ...]:
        return tuple(
            replace(one, value=sent[one.name], error=errors.get(one.name, ""))
            if one.name in sent
            else one
            for one in fields
        )

    return replace(
        form,
        catalog=typed(form.catalog),
        edges=tuple(replace(one, fields=typed(one.fields)) for one in form.edges),
        phases=tuple(
            replace(
                one,
                fields=typed(one.fields),
                choices=typed(one.choices),
                anchors=typed(one.anchors),
                items=tuple(replace(item, fields=typed(item.fields)) for item in one.items),
                examples=typed(one.examples),
                is_open=one.id == sent.get("phase"),
            )
            for one in form.phases
        ),
    )


def _catalog(data: Mapping[str, Any], said: Mapping[str, str]) -> Iterator[Field]:
    yield Field("text:title", "Title", str(data["title"]))
    if isinstance(data["version"], str):
        yield Field("text:version", "Version number", data["version"])
    hint = "A condition over call attributes; empty for every call."
    yield Field(
        "maybe:applies_to",
        "Judges calls where",
        data.get("applies_to") or "",
        help=hint,
        names="attributes",
        error=said.get("applies_to", ""),
    )


def _phase(index: int, phase: Phase, data: Mapping[str, Any], said: Mapping[str, str]) -> FormPhase:
    own, at = data["phases"][index], f"phases.{index}"
    duty = own.get("required", "")
    condition = str(duty.get("when", "")) if isinstance(duty, dict) else str(duty)
    hint = "always, optional, or a condition such as: DRC passed and not restrictions"
    error = said.get(f"{phase.id}.required.when", "")
    return FormPhase(
        id=phase.id,
        name=phase.name,
        fields=(
            Field(f"text:{at}.name", "Name", own["name"]),
            Field(f"text:{at}.intent", "Intent", own["intent"], rows=2),
            Field(
                f"duty:{at}.required", "Owed", condition, help=hint, names="condition", error=error
            ),
            Field(f"maybe:{at}.note", "Note", own.get("note") or "", rows=2),
        ),
        choices=tuple(
            Field(f"maybe:{at}.{key}", _LABELS[key], str(own.get(key) or ""), choices=choices)
            for key, choices in _CHOICES.items()
        ),
        anchors=tuple(_patterns(f"{at}.starts", own.get("starts") or [], phase.starts)),
        items=tuple(
            FormItem(
                item.id,
                (
                    Field(f"text:{at}.accept.{i}.text", "What must be shown", item.text, rows=2),
                    *_patterns(f"{at}.accept.{i}.match", own["accept"][i]["match"], item.match),
                ),
            )
            for i, item in enumerate(phase.accept)
        ),
        examples=tuple(_examples(at, phase)),
        is_open=bool(error),
    )


def _patterns(at: str, raw: Sequence[Mapping[str, Any]], shown: Sequence[Any]) -> Iterator[Field]:
    for index, (one, matcher) in enumerate(zip(raw, shown, strict=False)):
        key = next((key for key in ("re", "ask") if key in one), None)
        if key is not None:
            words = show_matcher(matcher).words
            yield Field(f"text:{at}.{index}.{key}", f"{index + 1}: {words}", one[key], rows=2)


def _examples(at: str, phase: Phase) -> Iterator[Field]:
    for key, label, texts in (
        ("rubric.pass", "Passes", phase.rubric.passing),
        ("rubric.fail", "Fails", phase.rubric.failing),
        ("counterexamples", "Does not count", phase.counterexamples),
    ):
        rows = max(2, len(texts) + 1)
        yield Field(f"lines:{at}.{key}", label, "\n".join(texts), rows=rows, help="One a line.")


def _edge(edge: OrderEdge, document: Document, said: Mapping[str, str]) -> FormEdge:
    index = next(i for i, one in enumerate(document.phases) if one.id == edge.child)
    at = f"phases.{index}.critical_parents.{edge.parent}"
    rule = edge.critical
    fields: tuple[Field, ...] = ()
    if rule is not None:
        sources = "\n".join(rule.sources)
        when = rule.when.source if rule.when else ""
        fields = (
            Field(f"maybe:{at}.rationale", "Why it is critical", rule.rationale, rows=2),
            Field(f"lines:{at}.sources", "Rests on", sources, rows=2, help="One source a line."),
            Field(
                f"maybe:{at}.when",
                "Binds when",
                when,
                help="Empty for always.",
                names="condition",
                error=said.get(f"{edge.child}.critical_parents.{edge.parent}.when", ""),
            ),
        )
    words = critical_rule(edge, document) if rule else "advice; never decides"
    return FormEdge(edge.parent, edge.child, rule is not None, words, fields)

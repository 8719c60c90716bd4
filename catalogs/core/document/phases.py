"""Building phases: `defaults` of the document, then the built-in ones, are applied here and nowhere
else.
"""

from __future__ import annotations

from catalogs.core.document.matchers import build_matchers, outcome_of
from catalogs.core.document.model import (
    AcceptItem,
    CriticalEdge,
    FinishRule,
    ForEach,
    ListKey,
    Mode,
    OkPolicy,
    Phase,
    Precedence,
    Required,
    RequiredKind,
    Rubric,
    Scope,
    StartsOn,
    ToolKey,
    Volunteered,
)
from catalogs.core.document.plain import (
    Context,
    Table,
    number_or_none,
    rows_of,
    table_of,
    text_of,
    text_or_none,
    texts_of,
    truth_of,
)


def build_phases(context: Context) -> tuple[Phase, ...]:
    """Build every phase of the document, in its order."""
    defaults = table_of(context.data, "defaults")
    # A key that a phase writes wins, also when it writes null to take a default away.
    rows = [{**defaults, **row} for row in rows_of(context.data, "phases")]
    keys = {text_of(row, "id"): _for_each(row) for row in rows}
    return tuple(_phase(row, f"phases[{index}]", context, keys) for index, row in enumerate(rows))


def _phase(row: Table, path: str, context: Context, keys: dict[str, ForEach | None]) -> Phase:
    rubric = table_of(row, "rubric")
    return Phase(
        id=text_of(row, "id"),
        name=text_of(row, "name"),
        intent=text_of(row, "intent"),
        required=_required(row, path, context),
        parents=texts_of(row, "parents"),
        critical=_critical(row, path, context, keys),
        starts=build_matchers(row, "starts", path, context, OkPolicy.ANY),
        accept=tuple(
            _item(item, f"{path}.accept[{n}]", context)
            for n, item in enumerate(rows_of(row, "accept"))
        ),
        ack=build_matchers(row, "ack", path, context, OkPolicy.TRUE),
        contradicts=build_matchers(row, "contradicts", path, context, OkPolicy.TRUE),
        finish=FinishRule(text_of(row, "finish", FinishRule.ALL.value)),
        for_each=_for_each(row),
        ack_required=truth_of(row, "ack_required"),
        volunteered=_volunteered(row),
        mode=Mode(text_of(row, "mode", Mode.EITHER.value)),
        starts_on=StartsOn(text_of(row, "starts_on", StartsOn.EITHER.value)),
        precedence=Precedence(text_of(row, "precedence", Precedence.STRICT.value)),
        low_harm=truth_of(row, "low_harm"),
        graded_tau=number_or_none(table_of(row, "graded"), "tau"),
        facts=texts_of(row, "facts"),
        basis=texts_of(row, "basis"),
        counterexamples=texts_of(row, "counterexamples"),
        rubric=Rubric(texts_of(rubric, "pass"), texts_of(rubric, "fail")),
        replaces=text_or_none(row, "replaces"),
        note=text_or_none(row, "note"),
    )


def _item(row: Table, path: str, context: Context) -> AcceptItem:
    return AcceptItem(
        id=text_of(row, "id"),
        text=text_of(row, "text"),
        match=build_matchers(row, "match", path, context, OkPolicy.TRUE),
        ack=build_matchers(row, "ack", path, context, OkPolicy.TRUE),
        when=context.expression(row, path),
    )


def _required(row: Table, path: str, context: Context) -> Required:
    value = row.get("required", "always")
    if value == "optional":
        return Required(RequiredKind.OPTIONAL)
    if value == "always":
        return Required(RequiredKind.ALWAYS)
    when = context.expression(table_of(row, "required"), f"{path}.required")
    # None: the author wrote `when: always`, or it is unreadable and the document is refused anyway.
    return Required(RequiredKind.ALWAYS) if when is None else Required(RequiredKind.WHEN, when)


def _critical(
    row: Table, path: str, context: Context, keys: dict[str, ForEach | None]
) -> tuple[CriticalEdge, ...]:
    own = keys[text_of(row, "id")]
    table = table_of(row, "critical_parents")
    return tuple(
        _edge(
            parent,
            table_of(table, parent),
            f"{path}.critical_parents.{parent}",
            context,
            shared=own is not None and own == keys.get(parent),
        )
        for parent in table
    )


def _edge(parent: str, row: Table, path: str, context: Context, *, shared: bool) -> CriticalEdge:
    return CriticalEdge(
        parent=parent,
        rationale=text_of(row, "rationale"),
        sources=texts_of(row, "sources"),
        scope=Scope(text_of(row, "scope", (Scope.ITEM if shared else Scope.CALL).value)),
        when=context.expression(row, path),
    )


def _for_each(row: Table) -> ForEach | None:
    value = row.get("for_each")
    if value is None:
        return None
    if isinstance(value, str):
        return ListKey(value.removeprefix("call."))
    per_call = table_of(row, "for_each")
    return ToolKey(texts_of(per_call, "tool"), outcome_of(per_call, OkPolicy.TRUE))


def _volunteered(row: Table) -> Volunteered | None:
    policy = table_of(row, "volunteered")
    return Volunteered(truth_of(policy, "accept"), text_of(policy, "rationale")) if policy else None

"""Whether a decision makes sense on the row as shown; a refusal is a sentence at the field."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from catalogs.core.document import Document, Scalar
from review.core.decisions.folding import (
    Grounds,
    RowShown,
    Shown,
    apply_decision,
    is_grave,
)
from review.core.decisions.history import redoable, undoable
from review.core.decisions.kinds import (
    UNWATCHED,
    Attention,
    Contradiction,
    Decision,
    FactValue,
    ItemValue,
    Kind,
    PointValue,
    Span,
    UndoValue,
    Value,
    VerdictValue,
)
from review.core.rows import NEVER, UNKNOWN, Row, Verdict

LONGEST_REASON = 2000


class Refused(Exception):
    """The decision makes no sense as asked; `field` names what to correct (empty: the whole)."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class Ask(NamedTuple):
    """What a person asks for: about a phase (and an item of it, `key`) or about a fact; and what
    was seen of them before. `candidate` is the place, from 1, of the candidate by wording that is
    taken as evidence.
    """

    kind: Kind
    phase: str | None = None
    fact: str | None = None
    key: str | None = None
    value: Value = None
    reason: str = ""
    attention: Attention = UNWATCHED
    candidate: int | None = None


class Call(NamedTuple):
    """What a decision is checked against: the catalog, grounds, and the length of every turn."""

    document: Document
    grounds: Grounds
    lengths: Mapping[int, int]


def check_ask(asked: Ask, decision: Decision, shown: Shown, call: Call) -> Shown:
    """Return rows and facts as they are after `decision`, which is `asked` with its number and
    person. Raises Refused with the field to correct.

    A reason is owed where a person contradicts a proposal or another person, settles a doubt about
    order, or leaves the row needing a second person (design 4.5).
    """
    if len(asked.reason) > LONGEST_REASON:
        raise Refused(
            f"The text has {len(asked.reason):,} characters; {LONGEST_REASON:,} are kept. "
            "Shorten it.",
            "reason",
        )
    if asked.kind is Kind.SET_FACT:
        return _check_fact(asked, decision, shown, call)
    before = shown.rows.get(asked.phase or "")
    if before is None:
        raise Refused("The catalog of this call has no such phase. Load the page again.")
    if asked.kind in _WORDS and not asked.reason.strip():
        raise Refused(_WORDS[asked.kind], "reason")
    if asked.kind in _CHECKS:
        row = _leaf(before.row, asked.key)
        _check_item_known(asked, call)
        _CHECKS[asked.kind](asked.value, row, call)
    after = apply_decision(shown, decision, call.grounds)
    changed = after.rows[before.row.phase]
    _check_row(_leaf_or_row(changed.row, asked.key), asked.kind)
    if not asked.reason.strip() and asked.kind in _CHECKS:
        _check_reason(asked, decision.by, before, changed)
    return after


def check_undo(asked: Ask, decisions: Sequence[Decision], by: str, folded: Shown) -> Decision:
    """Return the decision that an undo or redo is about; `folded` is what it would leave behind.

    Raises Refused for what is not this person's to take back, or stays no row that makes sense.
    """
    number = asked.value.of if isinstance(asked.value, UndoValue) else 0
    mine = {one.number: one for one in (*undoable(decisions, by), *redoable(decisions, by))}
    target = mine.get(number)
    if target is None:
        raise Refused(
            "Only your own last twenty decisions on this call can be taken back, each once. "
            "Decide the row anew instead."
        )
    row = folded.rows.get(target.phase or "")
    if row is not None:
        for one in row.row.instances or (row.row,):
            _check_row(one, Kind.UNDO)
    return target


_WORDS = {
    Kind.DOUBT: "Write down what is in doubt; the senior reviewer reads it here.",
    Kind.COMMENT: "Write the comment first.",
}


def _leaf(row: Row, key: str | None) -> Row:
    """Return the row that values are set on: the item's own where the phase is owed per item."""
    if row.instances is None:
        if key is not None:
            raise Refused("This phase is not owed per item. Load the page again.", "key")
        return row
    if not row.instances:
        raise Refused("The call has no item that this phase is owed for; confirm it, or doubt it.")
    for one in row.instances:
        if one.key == key:
            return one
    raise Refused("This phase is owed per item: choose the item that you decide.", "key")


def _leaf_or_row(row: Row, key: str | None) -> Row:
    return next((one for one in row.instances or () if one.key == key), row)


def _check_start(value: Value, _: Row, call: Call) -> None:
    _check_point(value, call, "start")


def _check_finish(value: Value, _: Row, call: Call) -> None:
    _check_point(value, call, "finish")


def _check_point(value: Value, call: Call, field: str) -> None:
    if not isinstance(value, PointValue):
        raise Refused(f"Say on which turn the {field} is.", field)
    if isinstance(value.point, int):
        _check_turn(value.point, call, field)
    elif value.point is NEVER and not call.grounds.ended:
        raise Refused(
            "It is not known that the call has ended, so nothing is missing for ever yet. "
            "Choose 'not known' instead.",
            field,
        )


def _check_turn(turn: int, call: Call, field: str) -> None:
    if turn not in call.lengths:
        ends = f" It has turns {min(call.lengths)} to {max(call.lengths)}." if call.lengths else ""
        raise Refused(f"The call has no turn {turn}.{ends}", field)


def _check_verdict(value: Value, row: Row, call: Call) -> None:
    if not isinstance(value, VerdictValue):
        raise Refused("Choose pass, fail or unknown.", "verdict")
    if value.verdict is Verdict.PASS:
        _check_pass(value, row)
    if value.contradiction is not Contradiction.REVOKED:
        return
    if value.verdict is not Verdict.FAIL:
        raise Refused("What was revoked did not pass: choose fail.", "verdict")
    if not isinstance(row.finish, int):
        raise Refused(
            "What was revoked was valid before: set the turn on which it was finished first.",
            "contradiction",
        )
    at = row.contradicted_at if value.at is None else value.at
    if at is None:
        raise Refused("Say on which turn it was revoked.", "at")
    _check_turn(at, call, "at")
    if at <= row.finish:
        raise Refused(
            f"It was finished at turn {row.finish} and cannot have been revoked before that. "
            "Choose a later turn, or call it void.",
            "at",
        )


def _check_pass(value: VerdictValue, row: Row) -> None:
    if row.contradicted_at is not None and value.contradiction is not Contradiction.NONE:
        raise Refused(
            f"Turn {row.contradicted_at} contradicts what finished this phase. Say that it is no "
            "contradiction, or let the row fail.",
            "contradiction",
        )
    if not isinstance(row.finish, int):
        raise Refused(
            "A pass needs the turn on which the phase was complete: set the finish.", "verdict"
        )
    if not row.evidence:
        raise Refused("A pass needs evidence: mark the words that show it first.", "verdict")


def _check_span(value: Value, _: Row, call: Call) -> None:
    if not isinstance(value, Span):
        raise Refused("Mark the words that show the item.", "turn")
    _check_turn(value.turn, call, "turn")
    if not 0 <= value.start < value.end <= call.lengths[value.turn]:
        raise Refused(
            f"Turn {value.turn} has {call.lengths[value.turn]:,} characters; the evidence must "
            "lie inside it and hold at least one.",
            "start",
        )


def _check_item(value: Value, row: Row, call: Call) -> None:
    if not isinstance(value, ItemValue):
        raise Refused("Choose shown, not shown or cannot be told.", "met")
    if value.turn is not None:
        _check_turn(value.turn, call, "turn")
    known = next((one.turn for one in row.items if one.id == value.item), None)
    if value.met and value.turn is None and known is None:
        raise Refused("Say on which turn the item was shown.", "turn")


def _check_item_known(asked: Ask, call: Call) -> None:
    names = [one.id for one in call.document.phase(asked.phase or "").accept]
    if isinstance(asked.value, Span | ItemValue) and asked.value.item not in names:
        raise Refused(f"{asked.phase} has these items: {', '.join(names)}.", "item")


_CHECKS: dict[Kind, Callable[[Value, Row, Call], None]] = {
    Kind.SET_START: _check_start,
    Kind.SET_FINISH: _check_finish,
    Kind.SET_VERDICT: _check_verdict,
    Kind.SET_EVIDENCE: _check_span,
    Kind.SET_ITEM: _check_item,
}


def _check_row(row: Row, kind: Kind) -> None:
    """Check that a row makes sense as a whole: s <= e unless VOLUNTEERED, and a pass is shown."""
    start, finish = row.start, row.finish
    field = "start" if kind is Kind.SET_START else "finish" if kind is Kind.SET_FINISH else ""
    advice = "Take back the later decision first." if kind is Kind.UNDO else "Set the other first."
    if isinstance(finish, int) and not row.volunteered:
        if start is NEVER:
            raise Refused(
                f"What was finished at turn {finish} was also entered at some turn. {advice}", field
            )
        if isinstance(start, int) and finish < start:
            raise Refused(
                f"The start, turn {start}, would come after the finish, turn {finish}. {advice}",
                field,
            )
    if row.verdict is Verdict.PASS and not (isinstance(finish, int) and row.evidence):
        raise Refused(f"The row would pass without a finish or without evidence. {advice}", field)


def _check_reason(asked: Ask, by: str, before: RowShown, after: RowShown) -> None:
    proposed = _leaf_or_row(before.proposed, asked.key)
    was, now = _leaf_or_row(before.row, asked.key), _leaf_or_row(after.row, asked.key)
    others = before.changers - {by}
    for name in ("start", "finish", "verdict"):
        old, new = getattr(was, name), getattr(now, name)
        if new == old:
            continue
        if _is_said(getattr(proposed, name)) and new != getattr(proposed, name):
            raise Refused(
                f"This contradicts the proposal ({name}: {_word(getattr(proposed, name))}). "
                "Write down why.",
                "reason",
            )
        if others and _is_said(old):
            raise Refused("This overrules what another person decided. Write down why.", "reason")
    if _met(asked.value, proposed) not in (None, _met(asked.value, now)):
        raise Refused("This contradicts the proposal for the item. Write down why.", "reason")
    if _loses_doubts(was, now):
        raise Refused(
            "The order of this turn was in doubt, and you settle it. Write down why.", "reason"
        )
    if after.critical and is_grave(before.proposed, after.row) and now != was:
        raise Refused(
            "This row is at a critical edge and is shown otherwise than proposed. Write down why.",
            "reason",
        )


def _is_said(value: object) -> bool:
    return value is not UNKNOWN and value is not Verdict.UNKNOWN


def _word(value: object) -> str:
    return f"turn {value}" if isinstance(value, int) else str(getattr(value, "value", value))


def _met(value: Value, row: Row) -> bool | None:
    if not isinstance(value, Span | ItemValue):
        return None
    return next((one.met for one in row.items if one.id == value.item), None)


def _loses_doubts(was: Row, now: Row) -> bool:
    return len(now.start_doubts) < len(was.start_doubts) or len(now.finish_doubts) < len(
        was.finish_doubts
    )


def _check_fact(asked: Ask, decision: Decision, shown: Shown, call: Call) -> Shown:
    name = asked.fact or ""
    spec = call.document.facts.get(name)
    if spec is None or not isinstance(asked.value, FactValue):
        raise Refused("The catalog of this call has no such fact. Load the page again.", "fact")
    new = asked.value.value
    if new is not None and not isinstance(new, _TYPES[spec.type]):
        raise Refused(f"{name} is a {spec.type}: {_EXAMPLES[spec.type]}.", "fact_value")
    if isinstance(new, str) and not 0 < len(new) <= _LONGEST_FACT:
        raise Refused(f"{name} takes 1 to {_LONGEST_FACT} characters.", "fact_value")
    old = shown.facts.get(name)
    if old is not None and new != old and not asked.reason.strip():
        raise Refused(
            f"This contradicts what was found ({name} = {_fact_word(old)}). Write down why.",
            "reason",
        )
    return apply_decision(shown, decision, call.grounds)


_LONGEST_FACT = 200
_TYPES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "number": (Decimal,),
    "string": (str,),
    "date": (date,),
}
_EXAMPLES = {
    "boolean": "choose true or false",
    "number": "write it in digits, such as 12.50",
    "string": "write it as it was said",
    "date": "write it as 2026-03-10",
}


def _fact_word(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

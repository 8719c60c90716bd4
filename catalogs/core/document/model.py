"""The catalog document (`oip-catalog/1`) as frozen values.

Everything a phase needs is resolved here: `defaults` are applied, expressions are parsed, matchers
have one of three types. What a field means is said in docs/catalog-format.md; the published JSON
Schema is `schema.json` and a test holds it equal to the loader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum

from catalogs.core.requirements.expression import Expression, Scalar


class Mode(Enum):
    """Whether content must be asked for and answered, or may merely appear (paper, informational
    and procedural).
    """

    PROCEDURAL = "procedural"
    INFORMATIONAL = "informational"
    EITHER = "either"


class StartsOn(Enum):
    """Which turn of a question and its answer enters the phase."""

    ASK = "ask"
    ANSWER = "answer"
    EITHER = "either"


class Precedence(Enum):
    """How a critical parent's finish must lie to this child's start (policy of the child)."""

    STRICT = "<"
    SAME_TURN = "<="


class FinishRule(Enum):
    """Which acceptance items a finish needs."""

    ALL = "all_accepted"
    ANY = "any_accepted"


class Scope(Enum):
    """Whether a critical edge compares the same item on both sides, or the roll-up of the call."""

    ITEM = "item"
    CALL = "call"


class EventSource(Enum):
    """Where an out-of-band event comes from."""

    TOOL = "tool"
    UI = "ui"


class OkPolicy(Enum):
    """Which outcome of a tool call a matcher takes."""

    TRUE = "true"
    FALSE = "false"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class TextMatcher:
    """`{re, by, unless, within_seconds, lang}`: words in a turn of one of the roles `by`.

    `path` is the matcher's place in the document (``CSV.starts[0]``); it is the name that
    provenance uses.
    """

    path: str
    pattern: str
    by: tuple[str, ...]
    unless: str | None = None
    within_seconds: int | None = None
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class AskMatcher:
    """`{ask, by, answer_by, within, unless, answer_unless}`: a question, and the first turn of an
    answering role within `within` turns whose words are not exempt by `answer_unless`.
    """

    path: str
    pattern: str
    by: tuple[str, ...]
    answer_by: tuple[str, ...]
    within: int = 3
    unless: str | None = None
    answer_unless: str | None = None
    within_seconds: int | None = None
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class EventMatcher:
    """`{tool | ui, where, ok, within_seconds}`: an event by name whose arguments equal `where`."""

    path: str
    source: EventSource
    name: str
    where: Mapping[str, Scalar]
    ok: OkPolicy
    within_seconds: int | None = None


Matcher = TextMatcher | AskMatcher | EventMatcher


@dataclass(frozen=True, slots=True)
class AcceptItem:
    """One thing that must be shown before a phase is finished."""

    id: str
    text: str
    match: tuple[Matcher, ...]
    ack: tuple[Matcher, ...] = ()
    when: Expression | None = None


@dataclass(frozen=True, slots=True)
class CriticalEdge:
    """A safety-critical edge into the phase that holds it; `when` None binds always."""

    parent: str
    rationale: str
    sources: tuple[str, ...]
    scope: Scope
    when: Expression | None = None


@dataclass(frozen=True, slots=True)
class ListKey:
    """`for_each: call.NAME`: one instance per element of a list attribute of the call (NAME without
    the `call.`).
    """

    attribute: str


@dataclass(frozen=True, slots=True)
class ToolKey:
    """`for_each: {tool: [...], ok: ..., key: call_id}`: one instance per matching tool call, in
    order.
    """

    tools: tuple[str, ...]
    ok: OkPolicy = OkPolicy.TRUE


ForEach = ListKey | ToolKey


@dataclass(frozen=True, slots=True)
class Volunteered:
    """A written policy on content said before the phase was entered."""

    accept: bool
    rationale: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """Two or three runnable sentences that pass, and as many that fail."""

    passing: tuple[str, ...]
    failing: tuple[str, ...]


class RequiredKind(Enum):
    """The three ways a phase can be owed."""

    ALWAYS = "always"
    OPTIONAL = "optional"
    WHEN = "when"


@dataclass(frozen=True, slots=True)
class Required:
    """`always`, `optional` or `{when: EXPR}` (then `when` is the parsed expression)."""

    kind: RequiredKind
    when: Expression | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """One obligatory-information phase. `critical` holds the critical edges into it, by parent in
    document order.
    """

    id: str
    name: str
    intent: str
    required: Required
    parents: tuple[str, ...]
    critical: tuple[CriticalEdge, ...]
    starts: tuple[Matcher, ...]
    accept: tuple[AcceptItem, ...]
    ack: tuple[Matcher, ...]
    contradicts: tuple[Matcher, ...]
    finish: FinishRule
    for_each: ForEach | None
    ack_required: bool
    volunteered: Volunteered | None
    mode: Mode
    starts_on: StartsOn
    precedence: Precedence
    low_harm: bool
    graded_tau: Decimal | None
    facts: tuple[str, ...]
    basis: tuple[str, ...]
    counterexamples: tuple[str, ...]
    rubric: Rubric
    replaces: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a phase yields. `value` holds one text matcher with a group named value; else
    `true_if` decides.

    `otherwise` is the value once the phase has passed and nothing matched (None: stays unknown).
    """

    name: str
    type: str
    source: str
    meaning: str
    true_if: tuple[Matcher, ...]
    value: TextMatcher | None
    otherwise: Scalar
    review_unknown: bool


@dataclass(frozen=True, slots=True)
class EventSpec:
    """A declared event: its source, the fields matchers may test, and whether the audited agent
    writes it itself.
    """

    name: str
    source: EventSource
    fields: tuple[str, ...]
    self_reported: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A whole catalog version.

    `data` is the parsed document as plain values (for canonical bytes, diff and lint). `lines` maps
    a path to its line in the source, counted from 1; a path is there twice, by index
    (``phases[1].starts[0].re``) and in the author's words (``CSV.starts[0].re``). `inputs` names
    call attributes without the `call.` prefix.
    """

    slug: str
    version: str
    title: str
    status: str
    effective_from: date
    effective_to: date | None
    applies_to: Expression | None
    languages: tuple[str, ...]
    clock_exact: bool
    turn_base: int
    inputs: Mapping[str, str]
    speakers: Mapping[str, str]
    labels: Mapping[str, str]
    events: Mapping[str, EventSpec]
    sources: Mapping[str, Mapping[str, Scalar]]
    facts: Mapping[str, Fact]
    phases: tuple[Phase, ...]
    digest: str
    data: Mapping[str, object] = field(repr=False)
    lines: Mapping[str, int] = field(repr=False)

    def phase(self, phase_id: str) -> Phase:
        """Return the phase with this id; raises KeyError for an unknown one."""
        for phase in self.phases:
            if phase.id == phase_id:
                return phase
        raise KeyError(phase_id)

    def line(self, where: str) -> int | None:
        """Return the line of a path, or of the nearest thing around it; None where the document has
        no such place.
        """
        path = where
        while path not in self.lines:
            cut = max(path.rfind("."), path.rfind("["))
            if cut < 0:
                return None
            path = path[:cut]
        return self.lines[path]

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """All order edges (parent, child), critical ones included, in document order."""
        return tuple((parent, phase.id) for phase in self.phases for parent in phase.parents)

    @property
    def gates(self) -> frozenset[str]:
        """The ids of phases that are the parent of a critical edge."""
        return frozenset(edge.parent for phase in self.phases for edge in phase.critical)

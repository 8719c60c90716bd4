"""Example sentences run through the rules of one phase: those of its rubric and of the companion.

1. A pass sentence, or one that satisfies, must pass the phase: W504, W522.
2. A fail sentence, or a near miss, must not: E503, E521.
3. A starting sentence must enter the phase: W523.
4. One that cannot be told apart into turns runs nowhere: E524.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from catalogs.core.document import Document, Phase
from catalogs.core.findings import Finding, error, warning
from review.core.rehearsal.alone import PhaseAlone
from review.core.rehearsal.companion import PLACE, Sentences
from review.core.rehearsal.dialogue import NotADialogueError, dialogue, labels_of
from review.core.transcript import Call

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Kind:
    """A list of examples: its name, whether they must pass (or enter), and the code if not.

    `each` reports every sentence; else one finding counts those of a phase.
    """

    name: str
    wanted: bool
    code: str
    said: str
    enters: bool = False
    each: bool = True


PASS = Kind("pass", True, "W504", "the rules miss this pass example")
FAIL = Kind("fail", False, "E503", "the rules pass this fail example")
STARTS = Kind("starts", True, "W523", "do not enter the phase", enters=True, each=False)
SATISFIES = Kind("satisfies", True, "W522", "are not recognised", each=False)
NEAR_MISSES = Kind("near_misses", False, "E521", "the rules pass this near miss")
KINDS = (PASS, FAIL, STARTS, SATISFIES, NEAR_MISSES)


@dataclass(frozen=True, slots=True)
class Example:
    """One sentence, where it stands, and the call it reads as."""

    phase: str
    kind: Kind
    where: str
    line: int | None
    text: str
    call: Call


@dataclass(frozen=True, slots=True)
class Tally:
    """How a phase's sentences of one kind came out; `lists` names the places of the missed ones."""

    phase: str
    kind: str
    met: int
    missed: int
    places: tuple[str, ...]


def examples_of(
    document: Document, sentences: Sentences | None
) -> tuple[Mapping[str, tuple[Example, ...]], tuple[Finding, ...]]:
    """Read every example of a document and its companion, by phase; and say which cannot be read
    (E524).
    """
    labels = labels_of(document)
    found: dict[str, tuple[Example, ...]] = {}
    unread: list[Finding] = []
    for phase in document.phases:
        read: list[Example] = []
        for kind, where, line, text in _texts(phase, document, sentences):
            try:
                read.append(Example(phase.id, kind, where, line, text, dialogue(text, labels)))
            except NotADialogueError as bad:
                unread.append(error("E524", where, f"{_shown(text)} {bad}", line))
        found[phase.id] = tuple(read)
    return found, tuple(unread)


def _texts(
    phase: Phase, document: Document, sentences: Sentences | None
) -> Iterator[tuple[Kind, str, int | None, str]]:
    for kind, texts in ((PASS, phase.rubric.passing), (FAIL, phase.rubric.failing)):
        for index, text in enumerate(texts):
            where = f"{phase.id}.rubric.{kind.name}[{index}]"
            yield kind, where, document.line(where), text
    for kind in (STARTS, SATISFIES, NEAR_MISSES) if sentences is not None else ():
        for index, text in enumerate(sentences.of(phase.id, kind.name) if sentences else ()):
            place = f"phases.{phase.id}.{kind.name}[{index}]"
            yield kind, f"{PLACE}{place}", sentences.line(place) if sentences else None, text


def comes_out(alone: PhaseAlone, example: Example) -> bool:
    """Say whether an example comes out as it must under the rules of its phase."""
    enters = example.kind.enters
    shown = alone.entered(example.call) if enters else alone.passes(example.call)
    return shown is example.kind.wanted


def tally(phase: str, examples: tuple[Example, ...], met: tuple[bool, ...]) -> tuple[Tally, ...]:
    """Count the examples of a phase by kind; a kind without any is left out."""
    counted: list[Tally] = []
    for kind in KINDS:
        own = [(one, ok) for one, ok in zip(examples, met, strict=True) if one.kind is kind]
        missed = tuple(one.where for one, ok in own if not ok)
        if own:
            counted.append(Tally(phase, kind.name, len(own) - len(missed), len(missed), missed))
    return tuple(counted)


def count_examples(document: Document, sentences: Sentences | None) -> tuple[Tally, ...]:
    """Count how the examples of every phase come out under its rules, and run nothing else."""
    examples, _ = examples_of(document, sentences)
    counted: list[Tally] = []
    for phase in document.phases:
        alone, own = PhaseAlone(document, phase), examples[phase.id]
        counted.extend(tally(phase.id, own, tuple(comes_out(alone, one) for one in own)))
    return tuple(counted)


def missed(examples: tuple[Example, ...], met: tuple[bool, ...]) -> tuple[Finding, ...]:
    """Make the findings of a phase's examples that did not come out as they must."""
    found: list[Finding] = []
    for kind in KINDS:
        own = [one for one in examples if one.kind is kind]
        wrong = [one for one, ok in zip(examples, met, strict=True) if one.kind is kind and not ok]
        if kind.each:
            found.extend(_single(one) for one in wrong)
        elif wrong:
            found.append(_counted(wrong, len(own)))
    return tuple(found)


def _single(one: Example) -> Finding:
    make = error if one.kind.code.startswith("E") else warning
    return make(one.kind.code, one.where, f"{one.kind.said}: {_shown(one.text)}", one.line)


def _counted(wrong: list[Example], of: int) -> Finding:
    first = wrong[0]
    said = f"{len(wrong)} of {of} {first.kind.name} sentences of {first.phase} {first.kind.said}"
    return warning(first.kind.code, first.where, f"{said}; first: {_shown(first.text)}", first.line)


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")

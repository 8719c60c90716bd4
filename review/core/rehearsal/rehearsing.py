"""The rehearsal of a catalog: its examples and tests run, what they have seen, and what they would
not notice.

1. Nothing is rehearsed of a document without meaning; its fatal findings are the result.
2. The same document, calls and sentences always give the same rehearsal.
3. Green: no error, every critical edge seen safe and unsafe, every condition seen both ways.
   A surviving mutant (W706) is a missing test and stops nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date

from catalogs.core.document import Document, Phase
from catalogs.core.findings import Finding, Severity, error, warning
from catalogs.core.linter import guard, is_fatal
from catalogs.core.linter.dated import waived_codes
from catalogs.core.linter.governance import no_tests
from review.core.cascade.pipeline import Cascade, prefill, prepare
from review.core.evaluation import Judged, build_report, judge_call
from review.core.rehearsal.alone import PhaseAlone
from review.core.rehearsal.companion import Sentences, fitness, load_sentences
from review.core.rehearsal.examples import Tally, comes_out, examples_of, missed, tally
from review.core.rehearsal.expecting import Difference, differences
from review.core.rehearsal.hearing import Heard, heard_in
from review.core.rehearsal.mutants import Mutant, mutants_of
from review.core.rehearsal.result import MutantResult, Rehearsal, TestResult
from review.core.rehearsal.runs import FindCalls, FindStored, Run, no_stored_call, runs_of
from review.core.rehearsal.seen import Coverage, coverage_of, gaps


def rehearse(
    document: Document,
    *,
    calls: FindCalls,
    stored: FindStored = no_stored_call,
    sentences: Sentences | bytes | None = None,
    today: date | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Rehearsal:
    """Rehearse a loaded document. `calls` gives the bytes of a call file by name and `stored` opens
    a past call by its id; `sentences` is the companion file, read or as bytes (what is wrong with
    them is then part of the result). Waivers of warnings hold up to their last day (without
    `today`, always). `tell` is told after each wrong change how many of how many were tried.
    """
    fatal = guard(document)
    if is_fatal(fatal):
        return _unrehearsed(document, fatal)
    unread: tuple[Finding, ...] = ()
    if isinstance(sentences, bytes):
        sentences, unread = load_sentences(sentences)
    stage = _Stage(document, runs_of(document, calls, stored), sentences)
    coverage = coverage_of(document, stage.judged)
    mutants = stage.mutants(tell)
    found = (
        *unread,
        *(fitness(sentences, document) if sentences is not None else ()),
        *stage.unread,
        *stage.missed(),
        *no_tests(document),
        *stage.unrunnable,
        *stage.failures(),
        *(gaps(document, coverage) if stage.runs else ()),
        *_survivors(document, mutants),
    )
    return Rehearsal(
        digest=document.digest,
        catalog=document.slug,
        version=document.version,
        findings=_not_waived(document, found, today),
        coverage=coverage,
        tests=stage.tests(),
        sentences=stage.tallies(),
        mutants=mutants,
        beyond_rules=0 if sentences is None else sentences.beyond_rules,
    )


def _not_waived(
    document: Document, found: Iterable[Finding], today: date | None
) -> tuple[Finding, ...]:
    waived = waived_codes(document, today)
    kept = (one for one in found if one.severity is Severity.ERROR or one.code not in waived)
    return tuple(dict.fromkeys(kept))


def _unrehearsed(document: Document, fatal: tuple[Finding, ...]) -> Rehearsal:
    nothing = Coverage(0, (), (), ())
    return Rehearsal(document.digest, document.slug, document.version, fatal, nothing, (), (), ())


class _Stage:
    """A document with all that is played on it, read and judged once."""

    def __init__(
        self,
        document: Document,
        tests: tuple[tuple[Run, ...], tuple[Finding, ...]],
        sentences: Sentences | None,
    ) -> None:
        self._document = document
        self._cascade = prepare(document)
        self.runs, self.unrunnable = tests
        self.judged = tuple(judge_call(run.call, self._cascade) for run in self.runs)
        self._differences = tuple(map(_differ, self.runs, self.judged))
        self._examples, self.unread = examples_of(document, sentences)
        self._alone: dict[str, PhaseAlone] = {}
        self._met: dict[str, tuple[bool, ...]] = {}
        self._heard_in_examples: dict[str, tuple[frozenset[Heard], ...]] = {}
        self._heard_in_runs = tuple(heard_in(one.call, self._cascade) for one in self.judged)
        for phase in document.phases:
            self._try(phase)

    def _try(self, phase: Phase) -> None:
        alone = self._alone[phase.id] = PhaseAlone(self._document, phase)
        examples = self._examples[phase.id]
        self._met[phase.id] = tuple(comes_out(alone, one) for one in examples)
        self._heard_in_examples[phase.id] = tuple(alone.heard(one.call) for one in examples)

    def missed(self) -> Iterator[Finding]:
        """Yield the findings about example sentences."""
        for phase, examples in self._examples.items():
            yield from missed(examples, self._met[phase])

    def tallies(self) -> tuple[Tally, ...]:
        """Count the example sentences of every phase."""
        return tuple(
            one
            for phase, examples in self._examples.items()
            for one in tally(phase, examples, self._met[phase])
        )

    def failures(self) -> Iterator[Finding]:
        """Yield E702 for every difference between a test and what came out."""
        for run, found in zip(self.runs, self._differences, strict=True):
            for one in found:
                where = f"{run.where}.{one.key}"
                said = f"{run.label}: {one.text}; correct the catalog or the test"
                yield error("E702", where, said, self._document.line(where))

    def tests(self) -> tuple[TestResult, ...]:
        """Return how each run came out."""
        return tuple(
            TestResult(
                label=run.label,
                where=run.where,
                differences=tuple(one.text for one in found),
                coverage=judged.report.coverage,
                order_safe=judged.report.order_safe,
                call_success=judged.report.call_success,
            )
            for run, found, judged in zip(self.runs, self._differences, self.judged, strict=True)
        )

    def mutants(self, tell: Callable[[int, int], None] | None) -> tuple[MutantResult, ...]:
        """Try every mutant on sentences and tests until one of them notices."""
        if not self.runs:
            return ()
        found: list[MutantResult] = []
        planned = tuple(mutants_of(self._document))
        for mutant in planned:
            noticed = self._noticed_by(mutant)
            found.append(MutantResult(mutant.kind, mutant.where, mutant.text, noticed))
            if tell is not None:
                tell(len(found), len(planned))
        return tuple(found)

    def _noticed_by(self, mutant: Mutant) -> str | None:
        if mutant.phase is not None:
            noticed = self._noticed_by_example(mutant, mutant.phase)
            if noticed is not None:
                return noticed
        return self._noticed_by_run(mutant)

    def _noticed_by_example(self, mutant: Mutant, phase: Phase) -> str | None:
        touched = [
            (one, met)
            for one, met, heard in zip(
                self._examples[phase.id],
                self._met[phase.id],
                self._heard_in_examples[phase.id],
                strict=True,
            )
            if mutant.silenced is None or mutant.silenced in heard
        ]
        if not touched:
            return None
        wrong = self._alone[phase.id].changed(phase, mutant.heard)
        return next((one.where for one, met in touched if comes_out(wrong, one) is not met), None)

    def _noticed_by_run(self, mutant: Mutant) -> str | None:
        touched = [
            (run, judged, before)
            for run, judged, before, heard in zip(
                self.runs, self.judged, self._differences, self._heard_in_runs, strict=True
            )
            if mutant.silenced is None or mutant.silenced in heard
        ]
        if not touched:
            return None
        wrong = mutant.make(self._cascade)
        same = self._untouched(mutant, wrong)
        return next(
            (
                run.label
                for run, judged, before in touched
                if (other := _judged_otherwise(judged, wrong, same)) is not None
                and _differ(run, other) != before
            ),
            None,
        )

    def _untouched(self, mutant: Mutant, wrong: Cascade) -> frozenset[str]:
        """Return the phases whose rows come out as before: of a phase that became or ceased to be
        a gate, and of the changed one, they may not.
        """
        changed = wrong.gates ^ self._cascade.gates
        own = {mutant.phase.id} if mutant.phase is not None else set()
        return frozenset(phase.id for phase in self._document.phases) - changed - own


def _judged_otherwise(before: Judged, wrong: Cascade, same: frozenset[str]) -> Judged | None:
    """Judge a call once more by a changed catalog; None where all that a test asks for stays.

    `same` are the phases whose rows are known to stay.
    """
    known = {phase: row for phase, row in before.filled.rows.items() if phase in same}
    filled = prefill(before.call, wrong, known)
    if filled == before.filled:
        return None
    return Judged(before.call, filled, build_report(before.call, wrong.document, filled))


def _differ(run: Run, judged: Judged) -> tuple[Difference, ...]:
    return differences(run.expectation, judged)


def _survivors(document: Document, mutants: tuple[MutantResult, ...]) -> Iterator[Finding]:
    for mutant in mutants:
        if mutant.noticed_by is None:
            said = f"nothing notices this change: {mutant.text}; add a test or a sentence that does"
            yield warning("W706", mutant.where, said, document.line(mutant.where))

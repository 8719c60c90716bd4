"""The rehearsal of a catalog: its examples and tests run, what they have seen, and what they would
not notice.

1. Nothing is rehearsed of a document without meaning; its fatal findings are the result.
2. The same document, calls and sentences always give the same rehearsal.
3. Green: no error, every critical edge seen safe and unsafe, every condition seen both ways.
   A surviving mutant (W706) is a missing test and stops nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from catalogs.core.document import Document
from catalogs.core.findings import Finding, Severity, error, warning
from catalogs.core.linter import guard, is_fatal
from catalogs.core.linter.dated import waived_codes
from catalogs.core.linter.governance import no_tests
from review.core.cascade.pipeline import Cascade, prepare
from review.core.evaluation import Judged, judge_call
from review.core.rehearsal.companion import Sentences, fitness
from review.core.rehearsal.dialogue import PhaseAlone
from review.core.rehearsal.examples import Example, Tally, examples_of, missed, outcomes, tally
from review.core.rehearsal.expecting import Difference, differences
from review.core.rehearsal.mutants import Mutant, mutants_of
from review.core.rehearsal.result import MutantResult, Rehearsal, TestResult
from review.core.rehearsal.runs import FindCalls, Run, runs_of
from review.core.rehearsal.seen import Coverage, coverage_of, gaps


def rehearse(
    document: Document,
    *,
    calls: FindCalls,
    sentences: Sentences | None = None,
    today: date | None = None,
) -> Rehearsal:
    """Rehearse a loaded document. `calls` gives the bytes of a call file by name; waivers of
    warnings hold up to their last day (without `today`, always).
    """
    fatal = guard(document)
    if is_fatal(fatal):
        return _unrehearsed(document, fatal)
    stage = _Stage(document, calls, sentences)
    coverage = coverage_of(document, stage.judged)
    mutants = stage.mutants()
    found = (
        *(fitness(sentences, document) if sentences is not None else ()),
        *stage.unread,
        *stage.missed(),
        *no_tests(document),
        *stage.unrunnable,
        *stage.failures(),
        *(gaps(document, coverage) if stage.runs else ()),
        *_survivors(document, mutants),
    )
    waived = waived_codes(document, today)
    findings = tuple(
        dict.fromkeys(
            one for one in found if one.severity is Severity.ERROR or one.code not in waived
        )
    )
    return Rehearsal(
        digest=document.digest,
        catalog=document.slug,
        version=document.version,
        findings=findings,
        coverage=coverage,
        tests=stage.tests(),
        sentences=stage.tallies(),
        mutants=mutants,
    )


def _unrehearsed(document: Document, fatal: tuple[Finding, ...]) -> Rehearsal:
    nothing = Coverage(0, (), (), ())
    return Rehearsal(document.digest, document.slug, document.version, fatal, nothing, (), (), ())


class _Stage:
    """A document with all that is played on it, read and judged once."""

    def __init__(self, document: Document, calls: FindCalls, sentences: Sentences | None) -> None:
        self._document = document
        self._cascade = prepare(document)
        self.runs, self.unrunnable = runs_of(document, calls)
        self.judged = tuple(judge_call(run.call, self._cascade) for run in self.runs)
        self._differences = tuple(map(_differ, self.runs, self.judged))
        self._examples, self.unread = examples_of(document, sentences)
        self._met: Mapping[str, tuple[bool, ...]] = {
            phase.id: outcomes(PhaseAlone(document, phase), self._examples[phase.id])
            for phase in document.phases
        }

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

    def mutants(self) -> tuple[MutantResult, ...]:
        """Try every mutant on sentences and tests until one of them notices."""
        if not self.runs:
            return ()
        return tuple(
            MutantResult(mutant.kind, mutant.where, mutant.text, self._noticed_by(mutant))
            for mutant in mutants_of(self._document)
        )

    def _noticed_by(self, mutant: Mutant) -> str | None:
        if mutant.phase is not None:
            examples = self._examples[mutant.phase.id]
            met = outcomes(PhaseAlone(self._document, mutant.phase), examples)
            noticed = _changed(examples, met, self._met[mutant.phase.id])
            if noticed is not None:
                return noticed
        return self._noticed_by_run(mutant.make(self._cascade))

    def _noticed_by_run(self, wrong: Cascade) -> str | None:
        for run, before in zip(self.runs, self._differences, strict=True):
            if _differ(run, judge_call(run.call, wrong)) != before:
                return run.label
        return None


def _differ(run: Run, judged: Judged) -> tuple[Difference, ...]:
    return differences(run.expectation, judged)


def _changed(
    examples: tuple[Example, ...], now: tuple[bool, ...], before: tuple[bool, ...]
) -> str | None:
    pairs = zip(examples, now, before, strict=True)
    return next((one.where for one, new, old in pairs if new is not old), None)


def _survivors(document: Document, mutants: tuple[MutantResult, ...]) -> Iterator[Finding]:
    for mutant in mutants:
        if mutant.noticed_by is None:
            said = f"nothing notices this change: {mutant.text}; add a test or a sentence that does"
            yield warning("W706", mutant.where, said, document.line(mutant.where))

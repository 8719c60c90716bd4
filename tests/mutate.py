"""A small mutation runner: change one thing in the rules, run their tests, see whether one fails.

    python tests/mutate.py [WORD ...]      only source files whose path contains one of the words

Every comparison, constant and branch of the code that decides is changed, one at a time. Each
mutant runs in a process forked from one that has loaded all foreign libraries; an import hook gives
it the changed module. The tree is copied first, so that edits meanwhile do no harm. A survivor is
printed with its place; it is a missing test, or one line with its reason in mutants_explained.txt.
The run fails below 95 %.
"""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import itertools
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.mutations import Mutant, mutants_of, mutated  # noqa: E402 - after the path is set

ENOUGH = 0.95
WORKERS = 2
SECONDS = 90.0
EXPLAINED = Path("tests/mutants_explained.txt")


class Target(NamedTuple):
    """Sources, the modules they rest on (loaded once), and the tests that must notice a change."""

    sources: str
    rests_on: tuple[str, ...]
    tests: tuple[str, ...]


PREDICATES = "tests.unit.review.predicates"
DECIDING = tuple(
    f"{PREDICATES}.test_{name}"
    for name in (
        "against_reference",
        "vectors",
        "semantics",
        "rows",
        "plan",
        "explain",
        "properties",
        "batch",
    )
)
TARGETS = (
    Target(
        "catalogs/core/requirements/*.py",
        (),
        ("tests.unit.catalogs.test_requirements", f"{PREDICATES}.test_expressions", *DECIDING),
    ),
    Target("review/core/predicates/*.py", ("catalogs.core.linter",), DECIDING),
    Target("review/core/rows.py", ("catalogs.core.linter",), DECIDING),
    Target(
        "review/core/evaluation/*.py",
        ("catalogs.core.linter", "review.core.cascade.pipeline", "review.core.parsers"),
        (
            f"{PREDICATES}.test_report",
            f"{PREDICATES}.test_printing",
            "tests.unit.review.evaluation.test_live",
            "tests.unit.review.evaluation.test_report",
            "tests.golden.test_paper_numbers",
        ),
    ),
)


def main(words: Sequence[str]) -> int:
    """Run all mutants; return 0 when enough of them were killed."""
    results: dict[Mutant, bool] = {}
    with tempfile.TemporaryDirectory() as folder:
        _copy_tree(Path(folder))
        os.chdir(folder)
        sys.path[0] = folder
        _load_foreign()
        for target in TARGETS:
            jobs = list(_jobs(target, words))
            if not jobs:
                continue
            _load_only(target.rests_on)
            if not _baseline_holds(target):
                return 2
            results |= dict(_run(jobs))
        return _report(results)


class Job(NamedTuple):
    """One mutant and the tests to run on it."""

    mutant: Mutant
    tests: tuple[str, ...]


def _copy_tree(folder: Path) -> None:
    for name in ("catalogs", "review", "tests"):
        shutil.copytree(
            ROOT / name,
            folder / name,
            ignore=shutil.ignore_patterns("migrations", "functional", "integration"),
        )


def _load_foreign() -> None:
    import hypothesis  # noqa: PLC0415 - loaded once, before the forks
    import jsonschema  # noqa: PLC0415
    import pytest  # noqa: PLC0415
    import re2  # noqa: PLC0415
    import ruamel.yaml  # noqa: PLC0415

    assert all((hypothesis, jsonschema, pytest, re2, ruamel.yaml))


def _load_only(modules: Sequence[str]) -> None:
    """Forget all of the product but what the sources at hand rest on; children import the rest."""
    for name in [name for name in sys.modules if name.split(".")[0] in ("review", "catalogs")]:
        del sys.modules[name]
    for name in modules:
        importlib.import_module(name)


def _jobs(target: Target, words: Sequence[str]) -> Iterator[Job]:
    for path in sorted(Path().glob(target.sources)):
        if not words or any(word in str(path) for word in words):
            yield from (Job(mutant, target.tests) for mutant in mutants_of(path))


def _baseline_holds(target: Target) -> bool:
    started = time.monotonic()
    code = os.waitstatus_to_exitcode(os.waitpid(_fork(None, target.tests), 0)[1])
    _say(f"{target.sources}: unchanged, its tests take {time.monotonic() - started:.1f} s")
    if code != 0:
        _say(f"the tests of {target.sources} fail without any change")
    return code == 0


def _run(jobs: Sequence[Job]) -> Iterator[tuple[Mutant, bool]]:
    """Yield each mutant and whether it was killed; a mutant that hangs was."""
    explained = dict(_explained())
    waiting, running = list(reversed(jobs)), dict[int, tuple[Mutant, float]]()
    done = 0
    while waiting or running:
        while waiting and len(running) < WORKERS:
            job = waiting.pop()
            running[_fork(job.mutant, job.tests)] = (job.mutant, time.monotonic())
        time.sleep(0.005)
        for child, (mutant, since) in list(running.items()):
            over = time.monotonic() - since > SECONDS
            if over:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            pid, status = os.waitpid(child, 0 if over else os.WNOHANG)
            if pid:
                del running[child]
                done += 1
                if done % 100 == 0:
                    _say(f"{done} of {len(jobs)}")
                killed = over or os.waitstatus_to_exitcode(status) != 0
                if not killed and mutant.key not in explained:
                    _say(f"survived: {mutant.path}:{mutant.line} {mutant.where}: {mutant.change}")
                yield mutant, killed


def _fork(mutant: Mutant | None, tests: Sequence[str]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        if mutant is not None:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            sys.meta_path.insert(0, _Changed(mutant))
        for name in tests:
            _run_tests(importlib.import_module(name))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _run_tests(module: types.ModuleType) -> None:
    """Run the test functions of a module, row by row; the first error ends it.

    pytest itself would spend more time on collecting than these tests take.
    """
    for name, test in list(vars(module).items()):
        if name.startswith("test_") and callable(test):
            tables = [mark.args for mark in getattr(test, "pytestmark", ())]
            for arguments in _combinations(tables):
                test(**arguments)


def _combinations(tables: Sequence[tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    rows = [[_row(names, values) for values in table] for names, table, *_ in tables]
    for chosen in itertools.product(*rows):
        yield {name: value for row in chosen for name, value in row.items()}


def _row(names: str | Sequence[str], values: Any) -> dict[str, Any]:
    listed = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
    given = getattr(values, "values", values) if type(values).__name__ == "ParameterSet" else values
    if len(listed) == 1:
        given = given if type(values).__name__ == "ParameterSet" else (given,)
    return dict(zip(listed, given, strict=True))


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module in its changed form."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        parts = mutant.path.with_suffix("").parts
        self._package = parts[-1] == "__init__"
        self._name = ".".join(parts[:-1] if self._package else parts)

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Claim the one module."""
        if fullname != self._name:
            return None
        spec = importlib.machinery.ModuleSpec(fullname, self, is_package=self._package)
        if self._package:
            spec.submodule_search_locations = [str(self._mutant.path.parent.resolve())]
        return spec

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the changed tree."""
        code = compile(mutated(self._mutant), str(self._mutant.path), "exec")
        exec(code, module.__dict__)  # noqa: S102 - our own source, one node changed


def _report(results: dict[Mutant, bool]) -> int:
    explained = dict(_explained())
    excused = {
        mutant for mutant, killed in results.items() if not killed and mutant.key in explained
    }
    survivors = [m for m, killed in results.items() if not killed and m not in excused]
    # A key may stand for several places in a function: it is stale when none of them survived.
    stale = {mutant.key for mutant in results} & explained.keys() - {m.key for m in excused}
    for key in sorted(stale):
        _say(f"explained, yet killed: {key}")
    counted = len(results) - len(excused)
    rate = (counted - len(survivors)) / counted if counted else 0.0
    _say(
        f"mutants: {len(results)}, equivalent by explanation: {len(excused)}, "
        f"survived: {len(survivors)}, killed: {100 * rate:.1f} %"
    )
    return 0 if rate >= ENOUGH and not stale else 1


def _explained() -> Iterator[tuple[str, str]]:
    """Yield the explained mutants: path, function, change, reason, with bars between."""
    if not EXPLAINED.exists():
        return
    for line in EXPLAINED.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            *key, reason = line.rsplit(" ¦ ", 1)
            yield " ¦ ".join(key), reason


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

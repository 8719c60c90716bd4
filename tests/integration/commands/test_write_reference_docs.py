"""The reference pages are those the code would write, and the command says when they are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from review.core.lifecycle import CallState
from review.core.rehearsal.texts import REFERENCE
from review.management.commands import write_reference_docs
from review.management.reference_pages import PAGES

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "reference"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(*words: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as stopped:
            write_reference_docs.Command().run_from_argv(
                ["manage.py", "write_reference_docs", *map(str, words)]
            )
        return int(stopped.value.code or 0), capsys.readouterr().out

    return run_command


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_fresh(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == PAGES[name](), "run make docs"


def test_check_writes_nothing(run: Run, tmp_path: Path) -> None:
    code, out = run("--check", "--folder", tmp_path)
    assert code == 1
    assert "docs/reference/findings.md is out of date; run make docs" in out
    assert list(tmp_path.iterdir()) == []


def test_writing_makes_it_fresh(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert run("--folder", folder)[0] == 0
    assert run("--check", "--folder", folder) == (0, "")
    (folder / "states.md").write_text("changed", "utf-8")
    assert run("--check", "--folder", folder) == (
        1,
        "docs/reference/states.md is out of date; run make docs\n",
    )
    assert run("--folder", folder) == (0, "docs/reference/states.md written\n")


def test_bad_usage_is_3(run: Run) -> None:
    assert run("--nope")[0] == 3


def test_pages_name_everything() -> None:
    findings, states = PAGES["findings.md"](), PAGES["states.md"]()
    assert all(f"### {code}\n" in findings for code in REFERENCE)
    assert all(f"| {state.value} | " in states for state in CallState)

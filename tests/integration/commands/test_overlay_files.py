"""The commands read an overlay wherever they read a catalog; its base is looked up."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from catalogs.shipped import SHIPPED_CATALOGS, SHIPPED_OVERLAYS
from review.shipped import SHIPPED_CASES, SITE_CASES

Run = Callable[..., tuple[int, str, str]]

NORTH = next(path for path in SHIPPED_OVERLAYS if path.stem == "benefits_verification_north")
BASE = next(path for path in SHIPPED_CATALOGS if path.stem == "benefits_verification")
CASE_B = next(path for path in SHIPPED_CASES if path.stem == "case_b_call")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command as from a shell; returns its exit code, output and error output."""

    def run_command(name: str, *words: object) -> tuple[int, str, str]:
        command = import_module(f"review.management.commands.{name}").Command()
        with pytest.raises(SystemExit) as stopped:
            command.run_from_argv(["manage.py", name, *map(str, words)])
        assert isinstance(stopped.value.code, int)
        said = capsys.readouterr()
        return stopped.value.code, said.out, said.err

    return run_command


def changed(folder: Path, *changes: tuple[str, str]) -> Path:
    text = NORTH.read_text("utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "north.yaml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("path", SHIPPED_OVERLAYS, ids=lambda path: path.stem)
def test_shipped_overlays_are_green(path: Path, run: Run) -> None:
    code, out, _ = run("test_catalog", path, "--format", "json")
    [file] = json.loads(out)["files"]
    assert (code, file["green"]) == (0, True)


def test_a_weakening_is_found_on_its_line(tmp_path: Path, run: Run) -> None:
    path = changed(tmp_path, ("tighten:\n", "tighten:\n  CSV:\n    required: optional\n"))
    line = path.read_text("utf-8").split("    required: optional", 1)[0].count("\n") + 1
    code, out, _ = run("lint_catalog", path)
    assert code == 1
    assert f"{path}:{line}: E610 tighten.CSV.required: makes CSV owed less often" in out


def test_the_base_beside_the_file_comes_before_the_shipped_one(
    tmp_path: Path,
    run: Run,
) -> None:
    path = changed(tmp_path)
    beside = BASE.read_text("utf-8").replace("version: 2.0.0", "version: 2.7.0", 1)
    (tmp_path / "base.yaml").write_text(beside, "utf-8")
    out = run("diff_catalog", tmp_path / "base.yaml", path)[1]
    assert "benefits-verification 2.7.0 -> benefits-verification--north 1.0.0" in out
    assert "AI_DISC→PID added" in out
    assert "words only" in out


def test_the_base_that_is_named_comes_first(tmp_path: Path, run: Run) -> None:
    path = changed(tmp_path, ("verification@2", "verification@7"))
    code, out, _ = run("lint_catalog", path)
    assert code == 1
    assert f"{path}:4: E616 extends: there is no version 7.x.y of benefits-verification" in out
    seven = tmp_path / "elsewhere" / "seven.yaml"
    seven.parent.mkdir()
    seven.write_text(
        BASE.read_text("utf-8").replace("version: 2.0.0", "version: 7.0.0", 1), "utf-8"
    )
    assert run("diff_catalog", seven, path, "--base", seven)[0] == 1
    code, _, err = run("lint_catalog", path, "--base", BASE)
    assert code == 3
    assert "is benefits-verification 2.0.0; the overlay extends benefits-verification@7" in err


def test_a_call_is_judged_by_the_merged_catalog(run: Run) -> None:
    [calls] = SITE_CASES
    args = ("evaluate_call", calls, "--catalog", NORTH, "--call", "north-late", "--json")
    code, out, _ = run(*args)
    report = json.loads(out)[0] if out.startswith("[") else json.loads(out)
    assert code == 1
    edges = {(one["parent"], one["child"]): one["ok"] for one in report["edges"]}
    assert edges["AI_DISC", "PID"] is False
    assert run("evaluate_call", CASE_B, "--catalog", NORTH)[0] == 1

"""`convert_calls`: any format becomes a vCon or our own; what is refused is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from review.core.parsers import parse_calls
from review.management.base import Exit
from review.management.commands import convert_calls
from review.shipped import SHIPPED_CASES
from tests.unit.review.parsers.call_files import written
from tests.unit.review.parsers.test_vendor_traps import retell, said


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Run the command as from a shell; returns its exit code, output and error output."""
    with pytest.raises(SystemExit) as stopped:
        convert_calls.Command().run_from_argv(["manage.py", "convert_calls", *map(str, words)])
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err


def test_a_call_becomes_a_vcon_and_itself_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    case = next(path for path in SHIPPED_CASES if path.stem == "case_micro")
    code, out, _ = run(capsys, case, "--to", "vcon", "--into", tmp_path / "out")
    path = Path(out.strip())
    assert (code, path.name) == (Exit.GOOD, "call-0001.vcon")
    assert json.loads(path.read_text("utf-8"))["vcon"] == "0.3.0"
    code, out, _ = run(capsys, path, "--to", "oip-call/1")
    (again,) = parse_calls(out.encode(), name="x.json").calls
    (call,) = parse_calls(case.read_bytes(), name="x.json").calls
    assert (code, again.turns, again.events) == (Exit.GOOD, call.turns, call.events)


def test_what_is_refused_stops_no_other(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("nothing of use", "utf-8")
    (tmp_path / "b.json").write_bytes(written(retell(said("agent", "Hi."))))
    code, out, err = run(capsys, tmp_path / "a.txt", tmp_path / "b.json", "--to", "oip-call/1")
    assert code == Exit.BAD
    assert json.loads(out)["turns"] == [
        {"n": 1, "kind": "speech", "speaker": "agent", "text": "Hi."}
    ]
    assert "refused a.txt: unknown_format" in err


def test_a_file_that_is_there_is_not_written_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    case = SHIPPED_CASES[0]
    (tmp_path / "call-0001.vcon").write_text("mine", "utf-8")
    code, _, err = run(capsys, case, "--to", "vcon", "--into", tmp_path)
    assert code == Exit.USAGE
    assert "cannot be written: File exists" in err
    assert (tmp_path / "call-0001.vcon").read_text("utf-8") == "mine"

"""Labels of a de-identified audit: what is in them, what is not, and both commands end to end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from review.core.audit.names import Profile
from review.management.base import ReviewCommand
from review.management.commands import export_dataset, score_rows
from tests.unit.review.audit.world import CASES, audit, shipped_calls
from tests.unit.signing.rings import ring

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(command: ReviewCommand, *words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            command.run_from_argv(["manage.py", "it", *map(str, words)])
        captured = capsys.readouterr()
        return int(stopped.value.code or 0), captured.out, captured.err

    return run_command


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> dict[Profile, Path]:
    folder = tmp_path_factory.mktemp("audits")
    made = {profile: folder / f"{profile.value}.zip" for profile in Profile}
    for profile, path in made.items():
        path.write_bytes(audit(profile))
    return made


@pytest.fixture
def taken(run: Run, audits: dict[Profile, Path], tmp_path: Path) -> Path:
    out = tmp_path / "data"
    words = (audits[Profile.DEIDENTIFIED], "--root", ring().root_id, "--out", out)
    code, said, err = run(export_dataset.Command(), *words)
    assert (code, err) == (0, "")
    assert said.startswith(f"{len(CASES)} calls")
    return out


def labels_in(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text("utf-8").splitlines()]


def test_the_labels_are_the_signed_rows(taken: Path) -> None:
    found = {one["catalog"]["slug"]: one for one in labels_in(taken)}
    benefits = found["benefits-verification"]
    rows = {one["phase"]: one for one in benefits["phases"]}
    # The numbers of the paper's second case.
    assert [rows["PID"][key] for key in ("start", "finish", "verdict")] == [45, 52, "pass"]
    assert [rows["CSV"][key] for key in ("start", "finish", "verdict")] == [42, 81, "pass"]
    assert rows["PID"]["mode"] == "procedural"
    assert rows["PID"]["asks"][0] == 45
    assert {one["turn"] for one in rows["PID"]["answers"]} <= set(range(45, 53))
    assert [(one["parent"], one["child"], one["ok"]) for one in benefits["edges"]] == [
        ("PID", "CSV", False)
    ]
    assert (benefits["coverage"], benefits["order_safe"]) == ("pass", "fail")


def test_no_word_id_or_day_of_a_call_is_in_it(taken: Path) -> None:
    written = "".join(path.read_text("utf-8") for path in taken.iterdir())
    for call in shipped_calls():
        about = [call.about["external_id"], call.about["date"], call.call_id]
        assert [one for one in about if one and one in written] == []
        texts = [one.text for one in call.evidence if one.text and len(one.text) > 8]
        assert [text for text in texts if text in written] == []
    spans = ("source", "start_ms", "event", "nonce", "commitment")
    assert [word for word in spans if f'"{word}"' in written] == []


def test_the_card_counts_what_is_there(taken: Path) -> None:
    card = (taken / "README.md").read_text("utf-8")
    assert f"{len(CASES)} calls: 1 by benefits-verification" in card
    assert "| call_success | 1 | 2 | 0 |" in card
    assert "| benefits-verification, PID | 1 | 1 | 0 | 0 |" in card


@pytest.mark.parametrize("profile", [Profile.FULL, Profile.MINIMUM])
def test_an_audit_that_discloses_more_is_refused(
    run: Run, audits: dict[Profile, Path], tmp_path: Path, profile: Profile
) -> None:
    words = (audits[profile], "--root", ring().root_id, "--out", tmp_path / "x")
    code, _, err = run(export_dataset.Command(), *words)
    assert code == 1
    assert "E-PROFILE" in err
    assert not (tmp_path / "x").exists()


def test_a_spoiled_audit_a_wrong_root_and_a_full_folder(
    run: Run, audits: dict[Profile, Path], tmp_path: Path
) -> None:
    command, whole = export_dataset.Command(), audits[Profile.DEIDENTIFIED]
    spoiled = tmp_path / "spoiled.zip"
    spoiled.write_bytes(whole.read_bytes()[:-1])
    at = ("--root", ring().root_id, "--out")
    assert run(command, spoiled, *at, tmp_path / "x")[0] == 1
    assert run(command, whole, "--root", "0" * 64, "--out", tmp_path / "x")[0] == 1
    assert run(command, whole, "--root", "short", "--out", tmp_path / "x")[0] == 3
    assert run(command, tmp_path / "none.zip", *at, tmp_path / "x")[0] == 3
    code, _, err = run(command, whole, *at, tmp_path)
    assert code == 3
    assert "is there already" in err


def test_the_labels_score_full_marks_against_themselves(run: Run, taken: Path) -> None:
    own = taken / "labels.jsonl"
    silent = taken / "silent.jsonl"
    silent.write_text("", "utf-8")
    code, out, _ = run(score_rows.Command(), own, silent, own, "--json")
    assert code == 0
    first, second = json.loads(out)
    assert (first["system"], second["system"]) == (str(own), str(silent))
    hits, of = first["both_exact"].split("/")
    assert hits == of != "0"
    assert first["missed_violations"].startswith("0/")
    assert second["left_out"] == len(CASES)
    code, out, _ = run(score_rows.Command(), own, own)
    assert "1. " in out
    assert "both exact" in out
    code, _, err = run(score_rows.Command(), silent, own)
    assert code == 3
    assert "holds no labels" in err

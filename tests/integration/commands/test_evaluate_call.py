"""`evaluate_call`: verdicts, the JSON that people script against, exit codes that cannot lie."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from catalogs.core.document import load_document
from catalogs.core.overlay import loading
from catalogs.shipped import SHIPPED_CATALOGS
from review.management import bases
from review.management.commands import evaluate_call
from review.shipped import SHIPPED_CASES
from tests.golden.judged import raw_case
from tests.unit.catalogs.catalog_text import edited as edited_catalog

ROOT = Path(__file__).resolve().parents[3]
CASES = {path.stem: path for path in SHIPPED_CASES}
BENEFITS = next(path for path in SHIPPED_CATALOGS if path.stem == "benefits_verification")

Run = Callable[..., tuple[int, str, str]]


#: Reading every shipped catalog anew took more than half the time of these tests.
_load_once = cache(load_document)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command as from a shell; returns its exit code, output and error output."""
    for module in (bases, loading):
        monkeypatch.setattr(module, "load_document", _load_once)

    def run_command(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            evaluate_call.Command().run_from_argv(["manage.py", "evaluate_call", *map(str, words)])
        captured = capsys.readouterr()
        return int(stopped.value.code or 0), captured.out, captured.err

    return run_command


def written(folder: Path, name: str, data: object) -> Path:
    path = folder / name
    if isinstance(data, bytes):
        path.write_bytes(data)
    else:
        path.write_text(json.dumps(data, default=float), "utf-8")
    return path


def cut_short(folder: Path) -> Path:
    return written(folder, "running.json", raw_case("case_a_respiratory", "slice", ended=False))


class TestExitCodes:
    """0 pass, 1 fail, 2 undetermined, 3 bad input or usage, 4 internal error."""

    def test_a_call_that_passes(self, run: Run) -> None:
        assert run(CASES["case_a_respiratory"])[0] == 0

    def test_a_call_that_fails(self, run: Run) -> None:
        assert run(CASES["case_b_call"])[0] == 1

    def test_a_call_that_is_still_running(self, run: Run, tmp_path: Path) -> None:
        assert run(cut_short(tmp_path))[0] == 2

    @pytest.mark.parametrize(
        ("cases", "code"),
        [
            (["pass", "fail"], 1),
            (["pass", "running"], 2),
            (["running", "fail"], 1),
            (["fail", "broken"], 3),
            (["broken", "pass"], 3),
            (["pass", "pass"], 0),
        ],
    )
    def test_of_several_the_worst_counts(
        self, run: Run, tmp_path: Path, cases: list[str], code: int
    ) -> None:
        paths = {
            "pass": CASES["case_a_respiratory"],
            "fail": CASES["case_b_call"],
            "running": cut_short(tmp_path),
            "broken": written(tmp_path, "broken.json", b"{"),
        }
        assert run(*[paths[case] for case in cases])[0] == code

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["--nope"], "required: CALL"),
            ([], "required: CALL"),
            (["missing.json"], "missing.json cannot be read"),
            (
                [CASES["case_b_call"], "--catalog", "no-such"],
                "neither a file nor a shipped catalog",
            ),
            ([CASES["case_b_call"], "--call", "other"], "No call other was found"),
            ([CASES["case_b_call"], "--format", "pdf"], "invalid choice"),
        ],
    )
    def test_bad_usage_is_3_and_says_what_is_wrong(
        self, run: Run, words: list[object], sentence: str
    ) -> None:
        code, out, err = run(*words)
        assert (code, out) == (3, "")
        assert sentence in err

    def test_help_decides_nothing_and_so_is_not_0(self, run: Run) -> None:
        code, out, _ = run("--help")
        assert code == 3
        assert "evaluate_call" in out

    def test_a_crash_is_4_and_prints_no_words_of_a_call(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object, **__: object) -> None:
            raise RuntimeError("Rowan Quillfeather, born April ninth")

        monkeypatch.setattr(evaluate_call, "judge_call", broken)
        code, _, err = run(CASES["case_b_call"])
        assert code == 4
        assert "internal error" in err
        assert "Rowan" not in err

    def test_sigterm_is_4(self, tmp_path: Path) -> None:
        waiting = tmp_path / "never-written.json"
        os.mkfifo(waiting)
        process = subprocess.Popen(
            [sys.executable, "manage.py", "evaluate_call", str(waiting)],
            cwd=ROOT,
            stderr=subprocess.PIPE,
            text=True,
        )
        # Opening the pipe for writing waits until the command has opened it for reading.
        with waiting.open("wb"):
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=30)
        assert process.returncode == 4
        assert "stopped" in err

    @pytest.mark.parametrize(
        ("settings", "command", "code"),
        [
            ("oipsce_site.settings.dev", "evaluate_cal", 3),
            ("oipsce_site.settings.none", "evaluate_call", 4),
        ],
        ids=["unknown-command", "broken-settings"],
    )
    def test_what_fails_before_the_command_starts_is_no_verdict_either(
        self, settings: str, command: str, code: int
    ) -> None:
        done = subprocess.run(
            [sys.executable, "manage.py", command, str(CASES["case_b_call"])],
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": settings},
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == code


def micro(old: bytes, new: bytes) -> bytes:
    data = CASES["case_micro"].read_bytes()
    assert old in data
    return data.replace(old, new, 1)


#: id, what the file holds, what the sentence says
REFUSED_CALLS: tuple[tuple[str, Callable[[], bytes], str], ...] = (
    ("not-json", lambda: b"{]", "JSON"),
    ("empty", lambda: b"", "empty"),
    ("25-mb", lambda: b'{"format": "oip-call/1", "id": "' + b"x" * 25_000_000 + b'"}', "20 MB"),
    ("nan", lambda: micro(b"0.6", b"NaN"), "NaN"),
    (
        "surrogate",
        lambda: CASES["case_micro"].read_bytes().replace(b"Am I", b"\\ud83d I", 1),
        "surrogate",
    ),
    ("deep", lambda: b"[" * 60 + b"]" * 60, "nest"),
)


@pytest.mark.parametrize("case", REFUSED_CALLS, ids=[case[0] for case in REFUSED_CALLS])
def test_a_call_file_that_cannot_be_read_is_refused_with_its_sentence(
    run: Run, tmp_path: Path, case: tuple[str, Callable[[], bytes], str]
) -> None:
    name, content, sentence = case
    code, out, err = run(written(tmp_path, f"{name}.json", content()), "--catalog", BENEFITS)
    assert (code, out) == (3, "")
    assert sentence.lower() in err.lower()
    assert f"{name}.json" in err


def test_a_file_of_no_known_format_is_told_the_option_that_names_it(
    run: Run, tmp_path: Path
) -> None:
    path = written(tmp_path, "notes.json", b'{"notes": []}')
    code, out, err = run(path, "--catalog", BENEFITS)
    assert (code, out) == (3, "")
    assert "unknown_format: The content is of no known format." in err
    assert "name it with --call-format." in err
    asked = run(path, "--catalog", BENEFITS, "--call-format", "oip-call/1")
    assert (asked[0], "--call-format" in asked[2]) == (3, False)


def edited(old: str, new: str) -> Callable[[], bytes]:
    return lambda: edited_catalog((old, new))


#: id, the catalog, its code, what the sentence says
REFUSED_CATALOGS: tuple[tuple[str, Callable[[], bytes], str, str], ...] = (
    ("bomb", lambda: b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "", "anchor"),
    ("not-yaml", lambda: b"format: [", "", ""),
    ("order-cycle", edited("    parents: []\n", "    parents: [CRN]\n"), "E204", "cycle"),
    ("unknown-phase", edited("parents: [PID, CSV]", "parents: [PID, CVS]"), "E202", "CVS"),
    (
        "requirement-cycle",
        edited("required: {when: DRC passed and not restrictions}", "required: {when: DCC passed}"),
        "E303",
        "",
    ),
    ("lookahead", edited("(?i)\\bis (currently )?active\\b", "active(?! card)"), "E401", ""),
    (
        "unknown-key",
        edited("    parents: []\n", "    parents: []\n    parent: PID\n"),
        "E101",
        "parent",
    ),
)


@pytest.mark.parametrize("case", REFUSED_CATALOGS, ids=[case[0] for case in REFUSED_CATALOGS])
def test_a_catalog_without_meaning_is_refused_with_its_line(
    run: Run, tmp_path: Path, case: tuple[str, Callable[[], bytes], str, str]
) -> None:
    name, content, finding, sentence = case
    path = written(tmp_path, f"{name}.yaml", content())
    code, out, err = run(CASES["case_b_call"], "--catalog", path)
    assert (code, out) == (3, "")
    assert finding in err
    assert sentence in err
    assert f"{name}.yaml:" in err


class TestJson:
    """The shape that people script against (design 6)."""

    def report(self, run: Run, *words: object) -> Any:
        return json.loads(run(*words, "--json")[1])

    def test_one_call_is_an_object_with_the_designed_keys(self, run: Run) -> None:
        report = self.report(run, CASES["case_b_call"])
        assert {
            "call", "ended", "catalog", "rows", "facts", "edges", "findings",
            "coverage", "order_safe", "call_success", "diagnostics",
        } <= report.keys()  # fmt: skip
        assert {
            "phase", "required", "blocked_by", "start", "finish", "verdict", "mode", "volunteered",
            "evidence", "items", "attempts", "instances", "flags", "decided_by",
        } <= report["rows"][0].keys()  # fmt: skip
        assert {
            "parent", "child", "item", "critical", "policy", "scope", "ok", "code", "why",
            "would_pass",
        } <= report["edges"][0].keys()  # fmt: skip

    def test_evidence_carries_its_quote(self, run: Run) -> None:
        report = self.report(run, CASES["case_b_call"])
        pid = next(row for row in report["rows"] if row["phase"] == "PID")
        last = pid["evidence"][-1]
        assert (last["item"], last["turn"], last["quote"]) == (
            "payer_match",
            52,
            "date of birth matches",
        )
        assert pid["items"]["payer_match"]["met"] is True
        assert pid["decided_by"] == {
            "start": "anchor:PID.starts[0]",
            "finish": "rule:PID.accept.payer_match.match[0]",
            "verdict": "rule:PID.accept.payer_match.match[0]",
        }

    def test_a_file_with_several_calls_is_an_array_in_file_order(
        self, run: Run, tmp_path: Path
    ) -> None:
        both = {"format": "oip-call/1", "calls": [raw_case("case_micro"), raw_case("case_b_call")]}
        report = self.report(run, written(tmp_path, "two.json", both))
        assert [one["call"] for one in report] == ["case-micro", "case-b-benefits"]

    def test_never_and_unknown_are_told_apart(self, run: Run, tmp_path: Path) -> None:
        ended = written(tmp_path, "ended.json", raw_case("case_a_respiratory", "slice"))
        never = self.report(run, ended)["rows"][4]
        unknown = self.report(run, cut_short(tmp_path))["rows"][4]
        assert (never["start"], never["verdict"]) == ("never", "fail")
        assert (unknown["start"], unknown["verdict"]) == (None, "unknown")

    def test_no_float_is_written(self, run: Run) -> None:
        out = run(CASES["case_b_call"], "--json")[1]
        json.loads(out, parse_float=lambda text: pytest.fail(f"a float: {text}"))

    def test_the_same_call_gives_the_same_bytes(self, run: Run) -> None:
        assert run(CASES["case_b_call"], "--json")[1] == run(CASES["case_b_call"], "--json")[1]


def test_text_output_reads_from_verdict_to_evidence(run: Run) -> None:
    lines = run(CASES["case_b_call"])[1].splitlines()
    assert "Coverage pass" in lines[1]
    assert "OrderSafe fail" in lines[1]
    assert any("52 < 42 is false" in line for line in lines)
    assert any("would pass with: start of CSV after turn 52" in line for line in lines)


def test_junit_counts_a_failing_call_as_a_failure(run: Run) -> None:
    out = run(CASES["case_b_call"], CASES["case_a_respiratory"], "--format", "junit")[1]
    assert 'tests="2" failures="1" errors="0"' in out
    assert "52 &lt; 42 is false" in out


def test_what_is_refused_is_an_error_of_junit_and_stops_no_other(run: Run, tmp_path: Path) -> None:
    broken = written(tmp_path, "broken.json", b"{")
    missing = tmp_path / "missing.json"
    paths = (broken, missing, CASES["case_b_call"])
    code, out, err = run(*paths, "--format", "junit")
    assert code == 3
    assert 'tests="3" failures="1" errors="2"' in out
    assert out.count('classname="refused"') == 2
    assert "missing.json cannot be read: No such file" in err
    assert [case["call"] for case in json.loads(run(*paths, "--json")[1])] == ["case-b-benefits"]
    assert json.loads(run(missing, "--json")[1]) == []


class TestFolders:
    """A folder stands for every file in it: nothing is left out in silence."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        calls = tmp_path / "calls"
        (calls / "south").mkdir(parents=True)
        for stem, at in (("case_b_call", calls), ("case_a_respiratory", calls / "south")):
            (at / f"{stem}.json").write_bytes(CASES[stem].read_bytes())
        (calls / ".cache").mkdir()
        written(calls / ".cache", "old.json", b"{")
        written(calls, "_notes.txt", b"not a call")
        return calls

    def test_every_file_below_is_judged(self, run: Run, folder: Path) -> None:
        code, out, _ = run(folder, folder / "case_b_call.json", "--json")
        assert code == 1
        named = [case["call"] for case in json.loads(out)]
        assert named == ["case-b-benefits", "case-a-respiratory"]

    def test_a_file_that_is_no_call_is_refused_by_name(self, run: Run, folder: Path) -> None:
        written(folder, "readme.bin", b"\x00\x01")
        code, _, err = run(folder)
        assert code == 3
        assert "refused readme.bin" in err

    def test_an_empty_folder_decides_nothing(self, run: Run, tmp_path: Path) -> None:
        code, _, err = run(tmp_path)
        assert code == 3
        assert "hold no call" in err

    def test_one_run_writes_every_format(self, run: Run, folder: Path, tmp_path: Path) -> None:
        written(folder, "broken.json", b"{")
        files = {form: tmp_path / f"out.{form}" for form in ("json", "junit", "sarif")}
        words = [word for form, path in files.items() for word in (f"--{form}-file", path)]
        code, out, _ = run(folder, *words)
        assert code == 3
        assert "case-b-benefits  judged by" in out
        assert len(json.loads(files["json"].read_text("utf-8"))) == 2
        assert 'tests="3" failures="1" errors="1"' in files["junit"].read_text("utf-8")
        assert files["sarif"].read_text("utf-8") == run(folder, "--format", "sarif")[1]

    def test_a_file_that_cannot_be_written_is_no_verdict(self, run: Run, tmp_path: Path) -> None:
        code, _, err = run(CASES["case_micro"], "--sarif-file", tmp_path / "no" / "out.sarif")
        assert code == 3
        assert "cannot be written" in err


def test_sarif_has_a_result_for_each_reason(run: Run, tmp_path: Path) -> None:
    """2.1.0, from the standard: levels, rules by index, a region, stable fingerprints."""
    broken = written(tmp_path, "broken.json", b"{")
    [log] = json.loads(
        run(CASES["case_b_call"], cut_short(tmp_path), broken, "--format", "sarif")[1]
    )["runs"]
    rules = [rule["id"] for rule in log["tool"]["driver"]["rules"]]
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in log["results"])
    [edge] = [one for one in log["results"] if one["level"] == "error"]
    assert edge["ruleId"] == "STARTED_BEFORE_PARENT_FINISHED"
    assert "52 < 42 is false" in edge["message"]["text"]
    [place] = edge["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("/case_b_call.json")
    assert place["logicalLocations"] == [{"fullyQualifiedName": "case-b-benefits/PID→CSV"}]
    assert any(one["level"] == "warning" for one in log["results"])
    [ran] = log["invocations"]
    assert ran["executionSuccessful"] is False
    assert "broken.json" in ran["toolExecutionNotifications"][0]["message"]["text"]
    prints = [one["partialFingerprints"]["callAndReason/v1"] for one in log["results"]]
    assert len(set(prints)) == len(prints)


def test_sarif_of_a_call_that_passes_has_no_result(run: Run) -> None:
    [log] = json.loads(run(CASES["case_a_respiratory"], "--format", "sarif")[1])["runs"]
    assert log["results"] == []
    assert log["invocations"][0]["executionSuccessful"] is True


def test_text_output_quotes_whole_words_and_json_the_exact_span(run: Run) -> None:
    micro = CASES["case_micro"]
    assert "February fourth, nineteen" in run(micro)[1]
    row = json.loads(run(micro, "--json")[1])["rows"][0]
    assert any(piece["quote"].endswith("fourth, nine") for piece in row["evidence"])


def test_an_explicit_catalog_overrules_type_and_date_with_a_note(run: Run) -> None:
    code, _, err = run(CASES["case_b_call"], "--catalog", "benefits-verification-paper")
    assert code == 1
    assert "overrules" in err


def test_a_call_that_no_shipped_catalog_is_for_says_so(run: Run, tmp_path: Path) -> None:
    raw = raw_case("case_micro")
    raw["call"] = {**raw["call"], "type": "small_talk"}
    code, _, err = run(written(tmp_path, "talk.json", raw))
    assert code == 3
    assert "No catalog applies to a call of type small_talk" in err


def test_no_service_is_started_and_no_database_opened() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-X",
            "importtime",
            "manage.py",
            "evaluate_call",
            str(CASES["case_micro"]),
        ],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "postgresql://nobody:x@127.0.0.1:1/none"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert "CallSuccess fail" in done.stdout

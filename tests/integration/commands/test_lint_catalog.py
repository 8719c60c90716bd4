"""`lint_catalog` and `test_catalog`: exit codes, places with lines, JSON and SARIF."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from review.core.rehearsal.texts import REFERENCE
from review.management import checking
from review.management.base import ReviewCommand
from review.management.commands import lint_catalog, test_catalog
from tests.unit.review.rehearsal.small import CATALOG, call

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared" / "catalogs"
COMMANDS: dict[str, Callable[[], ReviewCommand]] = {
    "lint_catalog": lint_catalog.Command,
    "test_catalog": test_catalog.Command,
}
Run = Callable[..., tuple[int, str, str]]
EVERY = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command as from a shell; returns its exit code, output and error output."""

    def run_command(name: str, *words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            COMMANDS[name]().run_from_argv(["manage.py", name, *map(str, words)])
        captured = capsys.readouterr()
        return int(stopped.value.code or 0), captured.out, captured.err

    return run_command


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Lay out the small catalog with its call beside it."""
    return laid_out(tmp_path / "catalogs")


def laid_out(folder: Path, *changes: tuple[str, str], calls: Path | None = None) -> Path:
    text = CATALOG
    for old, new in changes:
        assert old in text, f"nothing to replace: {old!r}"
        text = text.replace(old, new, 1)
    folder.mkdir(parents=True, exist_ok=True)
    place = calls or folder
    place.mkdir(parents=True, exist_ok=True)
    (place / "small.json").write_text(json.dumps({"calls": [call()]}), "utf-8")
    path = folder / "small.yaml"
    path.write_text(text, "utf-8")
    return path


WRONG = ("ID: [1, 3, pass]", "ID: [1, 4, pass]")


class TestExitCodes:
    """0 no error, 1 errors or failing tests, 3 bad usage, 4 internal error."""

    @EVERY
    def test_a_good_catalog_is_0_with_its_warnings(self, run: Run, small: Path, name: str) -> None:
        code, out, err = run(name, small)
        assert (code, err) == (0, "")
        assert f"{small}: 0 errors, 1 warnings; rehearsal green" in out

    @EVERY
    def test_a_failing_test_is_1(self, run: Run, tmp_path: Path, name: str) -> None:
        path = laid_out(tmp_path, WRONG)
        code, out, _ = run(name, path)
        assert code == 1
        line = CATALOG[: CATALOG.index("ID: [1, 3")].count("\n") + 1
        said = f"{path}:{line}: E702 tests[0].expect.ID: good: ID: got [1, 3, pass], wanted [1, 4"
        assert said in out

    @EVERY
    def test_a_static_error_is_1(self, run: Run, tmp_path: Path, name: str) -> None:
        path = laid_out(tmp_path, ("status: draft", "status: published"))
        code, out, _ = run(name, path)
        assert code == 1
        assert "E602 approvers: " in out

    @EVERY
    @pytest.mark.parametrize("text", [b"", b"{", b"phases: [*a]", b"\xff", b"format: x"])
    def test_what_is_no_catalog_is_1_with_findings(
        self, run: Run, tmp_path: Path, name: str, text: bytes
    ) -> None:
        path = tmp_path / "broken.yaml"
        path.write_bytes(text)
        code, out, err = run(name, path)
        assert (code, err) == (1, "")
        assert f"{path}:1: E1" in out
        assert "not readable as a catalog" in out

    @EVERY
    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            ([], "required: FILE"),
            (["--nope", "x.yaml"], "unrecognized arguments"),
            (["missing.yaml"], "missing.yaml is neither a file nor a shipped catalog"),
            (["micro", "--format", "pdf"], "invalid choice"),
            (["micro", "--calls", "no-such-folder"], "no-such-folder is no folder"),
        ],
    )
    def test_bad_usage_is_3(self, run: Run, name: str, words: list[str], sentence: str) -> None:
        code, out, err = run(name, *words)
        assert (code, out) == (3, "")
        assert sentence in err

    @EVERY
    def test_a_crash_is_4_and_prints_no_words(
        self, run: Run, small: Path, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object, **__: object) -> None:
            raise RuntimeError("Born in May.")

        monkeypatch.setattr(checking, "rehearse", broken)
        code, _, err = run(name, small)
        assert code == 4
        assert "Born" not in err

    @EVERY
    def test_being_stopped_is_4(
        self, run: Run, small: Path, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stopped(*_: object, **__: object) -> None:
            os.kill(os.getpid(), signal.SIGTERM)

        monkeypatch.setattr(checking, "rehearse", stopped)
        code, out, err = run(name, small)
        assert (code, out) == (4, "")
        assert f"{name}: stopped before it was done" in err

    @EVERY
    def test_from_a_shell_without_any_service(self, small: Path, name: str) -> None:
        settings = {"DJANGO_SETTINGS_MODULE": "oipsce_site.settings.dev"}
        done = subprocess.run(
            [sys.executable, "manage.py", name, str(small)],
            cwd=ROOT,
            env={**os.environ, **settings, "DATABASE_URL": "", "REDIS_URL": ""},
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")

    @EVERY
    def test_a_reader_that_goes_gets_4_and_no_traceback(self, small: Path, name: str) -> None:
        settings = {"DJANGO_SETTINGS_MODULE": "oipsce_site.settings.dev"}
        reading, writing = os.pipe()
        os.close(reading)
        try:
            done = subprocess.run(
                [sys.executable, "manage.py", name, str(small)],
                cwd=ROOT,
                env={**os.environ, **settings, "DATABASE_URL": "", "REDIS_URL": ""},
                stdout=writing,
                stderr=subprocess.PIPE,
                check=False,
                timeout=60,
            )
        finally:
            os.close(writing)
        said = f"{name}: nobody reads the output any more\n"
        assert (done.returncode, done.stderr.decode()) == (4, said)


class TestWhereThingsLie:
    """Calls beside the file, in ../cases, shipped, or in --calls; catalogs by path or slug."""

    @pytest.mark.parametrize("place", ["catalogs", "cases"])
    def test_calls_beside_the_file_or_in_cases(self, run: Run, tmp_path: Path, place: str) -> None:
        path = laid_out(tmp_path / "catalogs", calls=tmp_path / place)
        assert run("test_catalog", path)[0] == 0

    def test_calls_in_a_folder_of_their_own(self, run: Run, tmp_path: Path) -> None:
        path = laid_out(tmp_path / "catalogs", calls=tmp_path / "elsewhere")
        code, out, _ = run("test_catalog", path)
        assert code == 1
        assert "E707 tests[0].call: the call file 'small.json' was not found" in out
        assert run("test_catalog", path, "--calls", tmp_path / "elsewhere")[0] == 0

    def test_a_call_is_a_name_and_no_way_out(self, run: Run, tmp_path: Path) -> None:
        path = laid_out(tmp_path / "catalogs", ("call: small.json", "call: ../small.json"))
        (tmp_path / "small.json").write_text(json.dumps(call()), "utf-8")
        assert "E707 tests[0].call" in run("test_catalog", path)[1]

    @pytest.mark.parametrize("named", ["micro", "member-benefits-micro"])
    def test_a_shipped_catalog_by_its_names(self, run: Run, named: str) -> None:
        _, out, _ = run("test_catalog", named, "--format", "json")
        (file,) = json.loads(out)["files"]
        assert file["catalog"]["slug"] == "member-benefits-micro"
        assert file["rehearsal"]["tests"][0]["label"] == "case-micro"

    def test_sentences_beside_the_file(self, run: Run, small: Path) -> None:
        companion = small.parent / "sentences" / small.name
        companion.parent.mkdir()
        companion.write_text(
            "format: oip-sentences/1\ncatalog: small\nphases:\n  TELL:\n    near_misses:\n"
            '      - "Agent: It would be covered if you paid."\n',
            "utf-8",
        )
        code, out, _ = run("lint_catalog", small)
        assert code == 1
        assert f"{companion}:6: E521 sentences:phases.TELL.near_misses[0]" in out
        companion.write_text("format: [", "utf-8")
        code, out, _ = run("lint_catalog", small)
        assert code == 1
        assert f"{companion}:1: E112 sentences:file" in out


class TestSeveralFiles:
    """Files named together are siblings: versions of one catalog, overlays and their bases."""

    def test_windows_that_overlap(self, run: Run, tmp_path: Path) -> None:
        first = laid_out(tmp_path / "a")
        second = laid_out(
            tmp_path / "b",
            ("version: 1.2.0", "version: 2.0.0"),
            ("{version: 1.2.0", "{version: 2.0.0"),
        )
        assert run("lint_catalog", first)[0] == 0
        code, out, _ = run("lint_catalog", first, second)
        assert code == 1
        assert [line.split(": ")[1] for line in out.splitlines() if "E607" in line] == [
            "E607 effective",
            "E607 effective",
        ]

    def test_a_version_is_compared_with_the_one_before(self, run: Run, tmp_path: Path) -> None:
        first = laid_out(tmp_path / "a", ("to: null", "to: 2026-06-30"))
        second = laid_out(
            tmp_path / "b",
            ("from: 2026-01-01, to: null", "from: 2026-07-01"),
            ("version: 1.2.0", "version: 1.2.1"),
            ("{version: 1.2.0", "{version: 1.2.1"),
            ("ack_required: true", "ack_required: false"),
        )
        _, out, _ = run("lint_catalog", second, first)
        assert f"{second}:3: E608 version: the change since 1.2.0 is a major one" in out
        assert "E607" not in out

    def test_an_overlay_is_compared_with_its_base(self, run: Run, tmp_path: Path) -> None:
        base = laid_out(tmp_path / "a")
        site = laid_out(
            tmp_path / "b",
            ("catalog: small", "catalog: small--north\nextends: small@1"),
            ("ack_required: true", "ack_required: false"),
        )
        _, out, _ = run("lint_catalog", site, base)
        assert "E610 ID.ack_required: credits early content" in out
        assert (
            "E610"
            not in run("lint_catalog", base, site, "--calls", tmp_path)[1].replace(str(site), "")
            or str(site) in out
        )

    @pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder is not laid out here")
    def test_the_shared_catalogs_have_no_error(self, run: Run) -> None:
        paths = sorted(SHARED.glob("*.yaml"))
        code, out, _ = run("lint_catalog", *paths, "--format", "json")
        plain = json.loads(out)
        assert (code, plain["errors"], len(plain["files"])) == (0, 0, 7)
        assert all(file["green"] for file in plain["files"])


class TestOutput:
    """Text for people, JSON for scripts, SARIF for code hosts."""

    def test_a_line_per_test_and_the_tables(self, run: Run, small: Path) -> None:
        _, out, _ = run("test_catalog", small)
        assert "  ok   good: coverage pass, order_safe pass, call_success pass" in out
        assert "  ok   good/tie: coverage pass, order_safe fail, call_success fail" in out
        rows = [line.split() for line in out.splitlines()]
        assert ["critical", "edge", "safe", "unsafe", "tied", "unknown"] in rows
        assert ["ID→TELL", "2", "2", "1", "1"] in rows
        assert ["PAY", "3", "1", "1"] in rows
        assert ["role", "11", "0"] in rows

    def test_a_failing_test_says_what_was_wanted(self, run: Run, tmp_path: Path) -> None:
        _, out, _ = run("test_catalog", laid_out(tmp_path, WRONG))
        assert "  FAIL good: coverage pass" in out
        assert "         ID: got [1, 3, pass], wanted [1, 4, pass]" in out

    def test_json(self, run: Run, tmp_path: Path) -> None:
        path = laid_out(tmp_path, WRONG)
        lint = json.loads(run("lint_catalog", path, "--format", "json")[1])
        assert (lint["errors"], lint["warnings"]) == (1, 1)
        (file,) = lint["files"]
        assert (file["file"], file["green"]) == (str(path), False)
        assert set(file["catalog"]) == {"slug", "version", "digest"}
        error = next(one for one in file["findings"] if one["severity"] == "error")
        assert set(error) == {"file", "code", "severity", "where", "text", "line"}
        assert "rehearsal" not in file
        tested = json.loads(run("test_catalog", path, "--format", "json")[1])
        assert tested["files"][0]["rehearsal"]["counts"]["failing"] == 1

    @EVERY
    def test_json_of_what_is_no_catalog(self, run: Run, tmp_path: Path, name: str) -> None:
        path = tmp_path / "broken.yaml"
        path.write_text("phases: [", "utf-8")
        (file,) = json.loads(run(name, path, "--format", "json")[1])["files"]
        assert (file["catalog"], file["green"]) == (None, False)
        assert [one["code"] for one in file["findings"]] == ["E112"]
        assert file.get("rehearsal") is None

    def test_sentences_left_to_people_are_said(self, run: Run, small: Path) -> None:
        companion = small.parent / "sentences" / small.name
        companion.parent.mkdir()
        text = "format: oip-sentences/1\ncatalog: small\nphases: {PAY: {beyond_rules: [x, y]}}\n"
        companion.write_text(text, "utf-8")
        assert "  2 more sentences are left to people" in run("test_catalog", small)[1]

    @EVERY
    def test_sarif(self, run: Run, tmp_path: Path, name: str) -> None:
        path = laid_out(tmp_path, WRONG)
        code, out, _ = run(name, path, "--format", "sarif")
        log = json.loads(out)
        assert code == 1
        assert log["version"] == "2.1.0"
        (one,) = log["runs"]
        rules = one["tool"]["driver"]["rules"]
        assert one["tool"]["driver"]["name"] == name
        assert [rule["id"] for rule in rules] == ["W502", "E702"]
        for rule in rules:
            entry = REFERENCE[rule["id"]]
            assert rule["help"]["text"] == f"{entry.why} {entry.mend}"
        for result in one["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] == ("error" if result["ruleId"][0] == "E" else "warning")
            (place,) = result["locations"]
            assert place["physicalLocation"]["artifactLocation"]["uri"] == path.as_uri()
            assert place["physicalLocation"]["region"]["startLine"] > 1

    def test_sarif_of_a_clean_file_has_no_results(self, run: Run, tmp_path: Path) -> None:
        waiver = "waivers: [{rule: W502, reason: r, by: x, until: 9999-12-31}]\nphases:"
        path = laid_out(tmp_path, ("phases:", waiver))
        code, out, _ = run("lint_catalog", path, "--format", "sarif")
        (one,) = json.loads(out)["runs"]
        assert (code, one["results"], one["tool"]["driver"]["rules"]) == (0, [], [])

    def test_a_relative_path_stays_relative(
        self, run: Run, small: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(small.parent)
        log = json.loads(run("lint_catalog", "small.yaml", "--format", "sarif")[1])
        places = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        assert places["artifactLocation"]["uri"] == "small.yaml"

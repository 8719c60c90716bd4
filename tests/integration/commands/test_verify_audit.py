"""The verifier as strangers have it: one file, Python and `cryptography`; and openssl alone."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import venv
import zipfile
from io import BytesIO, StringIO
from pathlib import Path

import cryptography
import pytest
from django.core.management import call_command

from oipsce_site.services.layout import CHECKOUT
from oipsce_site.signing.core.keys import fingerprint
from oipsce_site.single_file import UnableToJoin, join_modules
from review.actions.standalone import program
from review.core.verify.program import main
from tests.unit.review.audit.spoiling import RECORD, edit, outside
from tests.unit.review.audit.world import audit, world
from tests.unit.signing.rings import public, ring

ROOT = ring().root_id
# What `cryptography` itself needs; a stranger's pip brings the same.
NEEDED = ("cryptography", "cffi", "pycparser")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new virtual environment that has `cryptography` and nothing else."""
    folder = tmp_path_factory.mktemp("stranger") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    [site] = folder.glob("lib/python*/site-packages")
    installed = Path(cryptography.__file__).parents[1]
    for path in [*installed.glob("_cffi_backend*"), *(installed / name for name in NEEDED)]:
        if path.exists():
            (site / path.name).symlink_to(path)
    return folder / "bin/python"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an audit on disk, with the verifier's one file beside it."""
    folder = tmp_path_factory.mktemp("audit")
    made = world()
    path = folder / "north.oipaudit.zip"
    path.write_bytes(made.build(made.order(verifier=program("verifier"))))
    (folder / "oip_verify.py").write_bytes(program("verifier"))
    return path


def run(python: Path | str, path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(python), "-I", str(path.parent / "oip_verify.py"), str(path), *words]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)


def test_a_stranger_verifies_an_audit(stranger: Path, bundle: Path) -> None:
    done = run(stranger, bundle, "--root", ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "VERIFIED"
    assert sum("call success fail" in line for line in lines) == 2
    assert sum("call success pass" in line for line in lines) == 1
    assert "verdicts decided anew: 3 of 3" in lines


def test_a_stranger_reads_json_and_the_fingerprint_may_have_blanks(
    stranger: Path, bundle: Path
) -> None:
    done = run(stranger, bundle, "--root", fingerprint(public("root")), "--json")
    found = json.loads(done.stdout)
    assert found["verified"] is True
    assert [call["order_safe"] for call in found["calls"]] == ["fail", "fail", "pass"]


def test_a_stranger_is_told_why_an_audit_is_refused(stranger: Path, bundle: Path) -> None:
    spoiled = bundle.with_name("spoiled.oipaudit.zip")
    spoiled.write_bytes(outside(edit(RECORD, lambda value: value.update(ended=None))))
    done = run(stranger, spoiled, "--root", ROOT)
    assert done.returncode == 1
    assert done.stdout.startswith("REFUSED E-DIGEST: ")


def test_the_file_is_made_the_same_each_time(bundle: Path, tmp_path: Path) -> None:
    out = StringIO()
    call_command("write_standalone", "verifier", str(tmp_path / "v.py"), stdout=out)
    written = (tmp_path / "v.py").read_bytes()
    assert written == (bundle.parent / "oip_verify.py").read_bytes()
    assert out.getvalue().startswith(hashlib.sha256(written).hexdigest())
    with zipfile.ZipFile(bundle) as archive:
        assert archive.read("oip_verify.py") == written


def test_what_strangers_do_not_have_is_not_joined() -> None:
    with pytest.raises(UnableToJoin, match="strangers do not have"):
        join_modules("oipsce_site.sealing", "none")
    with pytest.raises(UnableToJoin, match="import from its module"):
        join_modules("review.core.evaluation.judging", "none")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--root", ROOT], 0),
        (["--root", "ab" * 32], 1),
        ([], 3),
        (["--root", "abc"], 3),
        (["--root", ROOT, "--checkpoint", "/none"], 3),
        (["--root", ROOT, "--newest", "yesterday"], 3),
        (["--root", ROOT, "--wrong"], 3),
        (["--root", ROOT, "--newest", "2100-01-01T00:00:00.000000Z"], 1),
    ],
)
def test_exit_codes(bundle: Path, words: list[str], code: int) -> None:
    assert main([str(bundle), *words]) == code


def test_a_missing_file_is_bad_usage() -> None:
    assert main(["/none.zip", "--root", ROOT]) == 3


@pytest.mark.parametrize(
    "command",
    [["manage.py", "verify_audit"], ["-m", "review.core.verify"]],
    ids=["manage.py", "module"],
)
def test_the_checkout_runs_the_same_program(bundle: Path, command: list[str]) -> None:
    words = [sys.executable, *command, str(bundle), "--root", ROOT]
    done = subprocess.run(words, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "VERIFIED"), done.stderr
    words[-1] = "ab" * 32
    done = subprocess.run(words, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[:16]) == (1, "REFUSED E-ROOT: ")


def test_the_lines_of_the_readme_work_as_written(tmp_path: Path) -> None:
    with zipfile.ZipFile(BytesIO(audit())) as archive:
        archive.extractall(tmp_path)
    readme = (tmp_path / "README.txt").read_text(encoding="utf-8")
    part = readme.split("2. With openssl alone")[1].split("The first line of output")[0]
    script = "\n".join(line[5:] for line in part.splitlines() if line.startswith("     "))
    done = _shell(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split()[0] == ROOT
    assert done.stdout.count("Signature Verified Successfully") == 2
    assert done.stdout.strip().endswith("every file is the listed one")
    assert re.sub(r"\s", "", fingerprint(public("root"))) == ROOT
    page = tmp_path / "report.html"
    page.write_bytes(page.read_bytes() + b" ")
    assert "every file" not in _shell(script, tmp_path).stdout


def _shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )

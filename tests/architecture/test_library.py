"""The pure core as an installed, typed library: no checkout, no Django, no database.

The wheel's files are laid into an empty folder, and a fresh interpreter that finds its modules only
there, and in the core's own requirements, judges a shipped case.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from oipsce_site.services.layout import CHECKOUT

_PROGRAM = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("django", "celery", "redis", "psycopg", "ninja", "allauth"):
            raise ImportError(f"{name} is not installed here")

sys.meta_path.insert(0, Blocked())
sys.path.insert(0, sys.argv[1])

from catalogs.core.document import load_document
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.cascade.pipeline import prepare
from review.core.evaluation import judge_call, report_to_json, quotes_of
from review.core.parsers import parse_calls
from review.core.verify import __doc__ as verifier
from review.shipped import shipped_case
import review

assert review.__file__.startswith(sys.argv[1]), review.__file__
[path] = [path for path in SHIPPED_CATALOGS if path.stem == "micro"]
document, findings = load_document(path.read_bytes())
result = parse_calls(shipped_case("case_micro.json"), name="case_micro.json")
judged = judge_call(result.calls[0], prepare(document))
print(report_to_json(judged.report, quote=quotes_of(judged.call))["call_success"])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    build = (
        "from setuptools import build_meta; import sys; print(build_meta.build_wheel(sys.argv[1]))"
    )
    source = tmp_path_factory.mktemp("source")
    for name in ("catalogs", "review", "oipsce_site", "pyproject.toml", "README.md", "LICENSE"):
        (source / name).symlink_to(CHECKOUT / name)
    words = [sys.executable, "-c", build, str(folder)]
    done = subprocess.run(words, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob("*.whl")
    target = folder / "site"
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(target)], check=True)
    return target


def test_it_judges_a_call_without_django(installed: Path) -> None:
    words = [sys.executable, "-I", "-c", _PROGRAM, str(installed)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "fail"


def test_it_says_that_it_is_typed_and_holds_no_page(installed: Path) -> None:
    assert all((installed / name / "py.typed").is_file() for name in ("catalogs", "review"))
    for name in ("review/views", "review/models", "review/migrations", "catalogs/models"):
        assert not (installed / name).exists()

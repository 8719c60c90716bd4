"""The model that ranks turns by wording: checked files, no network, and nothing of it elsewhere."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from math import sqrt

import pytest

from oipsce_site import environment
from oipsce_site.services.layout import CHECKOUT
from review.adapters.encoders import encoder_named
from review.core.cascade.candidates import Vector

REAL = "review.adapters.minilm.MiniLm"
needs_model = pytest.mark.skipif(
    find_spec("onnxruntime") is None, reason="the extra is not installed (make setup-semantic)"
)


def run(program: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own."""
    env = environment.inherited(DJANGO_SETTINGS_MODULE="oipsce_site.settings.test", **more)
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=CHECKOUT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_product_runs_without_its_packages() -> None:
    program = (
        "import sys; sys.modules |= dict.fromkeys(('onnxruntime', 'tokenizers', 'numpy'));"
        "import django; django.setup();"
        "import review.tasks, review.urls;"
        "from django.conf import settings; sys.exit(settings.SEMANTIC_ENCODER != '')"
    )
    done = run(program, OIPSCE_SEMANTIC="")
    assert done.returncode == 0, done.stderr


def test_turned_on_without_its_packages_it_says_what_to_do() -> None:
    program = "import sys; sys.modules['onnxruntime'] = None; import django; django.setup()"
    done = run(program, OIPSCE_SEMANTIC="1")
    assert done.returncode != 0
    assert "run `make setup-semantic`" in done.stderr


@needs_model
def test_texts_of_one_meaning_are_nearer_than_others() -> None:
    # Sockets are refused in tests: neither the weights nor the tokenizer asks for any.
    encoder = encoder_named(REAL)
    near, same, far = encoder.encode(
        ["What you pay is a quarter.", "Your share is 25 percent.", "It rained all day."]
    )
    assert [len(one) for one in (near, same, far)] == [384] * 3
    assert sqrt(sum(one * one for one in near)) == pytest.approx(1)
    assert _product(near, same) > _product(near, far) + 0.2
    # The same text gives the same numbers, whatever it is encoded beside.
    assert list(encoder.encode(["It rained all day.", "x " * 2_000])[0]) == list(far)
    assert len(encoder.digest) == 64


@needs_model
def test_a_file_that_is_another_one_is_not_used() -> None:
    program = (
        "from review.adapters import minilm;"
        "minilm._WEIGHTS = minilm._WEIGHTS._replace({});"
        "minilm.MiniLm()"
    )
    other = run(program.format("sha256='0' * 64"))
    assert "is not the file that was looked at" in other.stderr
    missing = run(program.format("package='no-such-package'"))
    assert "is missing: run `make setup-semantic`" in missing.stderr


def _product(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))

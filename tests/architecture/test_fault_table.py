"""Each fault of the design's table (audit_security 2f) is a test that has its id in its name."""

from __future__ import annotations

import re

from oipsce_site.services.layout import CHECKOUT


def test_every_fault_has_a_test() -> None:
    text = "".join(path.read_text() for path in sorted((CHECKOUT / "tests").rglob("test_*.py")))
    named = {int(number) for number in re.findall(r"^def test_f(\d+)_", text, re.MULTILINE)}
    assert not set(range(1, 29)) - named

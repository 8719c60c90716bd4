"""What is measured: where a product answers, how one signs in, and which of its pages are asked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Product:
    """A running product. Paths are below `base_url`; an empty one is not measured.

    `call` is a call of 120 turns, `call_500` and `call_1500` longer ones; `lists` are pages of the
    list by what they show. `evidence` are pages with the selector of what must be in view when they
    come. `visible` is a selector that says the call is shown, `scroll` what is paged through.
    `server` is the process that serves, where it runs on this machine: its CPU time is told too.
    """

    base_url: str
    sign_in: str
    user: str
    password: str = field(repr=False)
    call: str = ""
    call_500: str = ""
    call_1500: str = ""
    lists: dict[str, str] = field(default_factory=dict)
    evidence: tuple[tuple[str, str], ...] = ()
    visible: str = "#transcript li"
    scroll: str = "ol.turns"
    queries: dict[str, int] = field(default_factory=dict)
    server: int = 0


def read_product(path: Path, base_url: str) -> Product:
    """Read a product from a JSON file with the fields of `Product`."""
    return product_from(json.loads(path.read_text(encoding="utf-8")), base_url)


def product_from(plain: dict[str, Any], base_url: str) -> Product:
    """Read a product from plain values. Raises TypeError for a field that is none."""
    evidence = tuple((page, selector) for page, selector in plain.pop("evidence", ()))
    return Product(base_url=base_url.rstrip("/"), evidence=evidence, **plain)

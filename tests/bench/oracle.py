"""The reference program's rule engine on Case B, where the shared folder is laid out."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[3] / "shared"


def oracle() -> tuple[Callable[[Any], object], bytes, Any] | None:
    """Return the reference's run on the original benefits catalog, the bytes of that catalog and
    its call; None without the folder.
    """
    path = SHARED / "oracle" / "check_catalogs.py"
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location("oracle", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    source = SHARED / "catalogs" / "benefits_verification.yaml"
    catalog = module.load(str(source))
    raw = json.loads((SHARED / "cases" / "case_b_call.json").read_text("utf-8"))
    return (lambda call: module.run(catalog, call)), source.read_bytes(), raw

"""The reference program's rule engine on its own catalogs and calls, where the shared folder is
laid out.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

SHARED = Path(__file__).resolve().parents[3] / "shared"

#: File name of the catalog, of the calls, and the id of the call among them.
_PAIRS = (
    ("benefits_verification", "case_b_call", "case-b-benefits"),
    ("respiratory_history", "case_a_respiratory", "case-a-respiratory"),
    ("micro", "case_micro", "case-micro"),
    ("nurse_triage", "case_drafts", "triage-home"),
    ("nurse_triage", "case_drafts", "triage-emergency"),
    ("nurse_triage", "case_drafts", "triage-ai"),
    ("debt_collection", "case_drafts", "debt-right-party"),
    ("debt_collection", "case_drafts", "debt-third-party"),
    ("tpmo_medicare_v1", "case_drafts", "tpmo-sale"),
    ("tpmo_medicare", "case_drafts", "tpmo-sale"),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A catalog and a call of the shared folder: their bytes for the product, and the reference's
    run over the two, which it has read already.
    """

    name: str
    catalog: bytes
    call: bytes
    run: Callable[[], object]


def pairs() -> Iterator[Pair]:
    """Give the reference's catalogs with a call each, Case B first; none without the folder."""
    path = SHARED / "oracle" / "check_catalogs.py"
    if not path.is_file():
        return
    oracle = _load(path)
    for catalog, file, call in _PAIRS:
        yield _pair(oracle, SHARED / "catalogs" / f"{catalog}.yaml", _call(file, call))


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("oracle", path)
    assert spec is not None
    assert spec.loader is not None
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    return oracle


def _pair(oracle: ModuleType, path: Path, call: Any) -> Pair:
    catalog = oracle.load(path.read_text("utf-8"))
    return Pair(
        f"{call['id']} by {path.stem}",
        path.read_bytes(),
        json.dumps(call).encode("utf-8"),
        lambda: oracle.run(catalog, call),
    )


def _call(file: str, call: str) -> Any:
    content = json.loads((SHARED / "cases" / f"{file}.json").read_text("utf-8"))
    return next(one for one in content.get("calls", [content]) if one["id"] == call)

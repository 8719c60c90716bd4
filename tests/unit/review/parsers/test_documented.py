"""docs/call-format.md names every finding code the readers have, and its example is a good call."""

import ast
import re

from review.core.parsers import oip_call
from review.core.transcript import ORDER_AFFECTING
from tests.unit.review.parsers.call_files import ROOT, codes

PAGE = (ROOT / "docs" / "call-format.md").read_text("utf-8")
ROWS = [
    line for line in PAGE.split("\n") if re.match(r"\| `[a-z_]+`.*\| (error|warning|note)", line)
]
DOCUMENTED = dict(re.findall(r"`([a-z_]+)`(\*?)", " ".join(row.split("|")[1] for row in ROWS)))
SAYING = {"error", "warning", "note", "warn", "refuse", "_BadNumber"}


def codes_in_source() -> set[str]:
    """Return every finding code that the source of the readers writes down."""
    found: set[str] = set()
    folders = (ROOT / "review/core/parsers", ROOT / "review/core/transcript")
    for path in (path for folder in folders for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in SAYING:
                    found.add(str(node.args[0].value))
    return found | {"nul_character", "lone_surrogate"}


def test_every_code_is_documented_and_no_other() -> None:
    assert set(DOCUMENTED) == codes_in_source()


def test_the_marks_are_those_of_the_design() -> None:
    assert {code for code, mark in DOCUMENTED.items() if mark} == ORDER_AFFECTING & set(DOCUMENTED)


def test_the_example_is_read_without_a_finding() -> None:
    example = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    (call,), findings = oip_call.parse(example[1].encode(), name="example.json")
    assert codes(findings) == []
    assert [(event.id, event.turn, event.result_turn) for event in call.events] == [
        ("e1", 5, None),
        ("turn-3", 3, 4),
    ]

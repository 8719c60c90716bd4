"""Rows are written in actions/ and nowhere else.

The ledger's writer and the people's own actions and manager are the ground below the two
applications; they write what only they own.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.source import PACKAGES, Module, modules

WRITING_METHODS = {
    *("save", "asave", "create", "acreate", "get_or_create", "update_or_create"),
    *("bulk_create", "bulk_update", "delete", "adelete"),
}
# Of `oipsce_site.rows`.
WRITING_FUNCTIONS = {"insert_rows", "insert_instances", "change_row", "change_rows"}
# `.update()` and `.add()` are also words of dictionaries and sets: they count on a queryset only.
QUERYSET_WORDS = {
    *("objects", "filter", "exclude", "all", "select_for_update", "order_by"),
    *("for_update", "using"),
}

# Each entry says why it may write outside actions/.
ALLOWED = {
    "oipsce_site/ledger/record.py": "the one writer of the decision log",
    "oipsce_site/ledger/checkpoints.py": "the one writer of sealed heads and checkpoints",
    "oipsce_site/rows.py": "the writing functions themselves; who calls them is looked at",
    "oipsce_site/people/models.py": "the manager that hashes a first password",
}


def test_rows_are_written_only_in_actions() -> None:
    places = [
        place
        for module in modules(*PACKAGES)
        if not _may_write(module)
        for place in writes_in(module)
    ]
    assert not places, f"move these writes into actions/: {places}"


def test_every_exception_is_still_needed() -> None:
    writers = {module.path for module in modules(*PACKAGES) if any(writes_in(module))}
    assert not set(ALLOWED) - writers, "these write nothing any more: drop them from ALLOWED"


@pytest.mark.parametrize(
    "statement",
    [
        "Call.objects.create(x=1)",
        "Call.objects.filter(pk=1).update(x=2)",
        "call.save(update_fields=['x'])",
        "Call.objects.bulk_create(rows)",
        "call.delete()",
        "rows.filter(pk=1).select_for_update().update(x=2)",
        "insert_rows(Call._meta.db_table, rows)",
        "insert_instances(calls)",
        "change_row(call, ('state',))",
        "cursor.execute('INSERT INTO review_call VALUES (1)')",
        "cursor.execute('  update review_call set x = 1')",
    ],
)
def test_a_planted_write_is_found(statement: str) -> None:
    module = Module("review/views/planted.py", ast.parse(statement), 1)
    assert list(writes_in(module))


@pytest.mark.parametrize(
    "statement",
    ["facts.update({'x': 1})", "seen.add(1)", "digest.update(b'x')", "cursor.execute('SELECT 1')"],
)
def test_an_innocent_statement_is_not(statement: str) -> None:
    module = Module("review/views/planted.py", ast.parse(statement), 1)
    assert not list(writes_in(module))


def _may_write(module: Module) -> bool:
    return "actions" in module.parts or "core" in module.parts or module.path in ALLOWED


def writes_in(module: Module) -> Iterator[str]:
    """Yield the place of each statement that writes rows."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in WRITING_FUNCTIONS:
            yield f"{module.path}:{node.lineno} {node.func.id}()"
        if isinstance(node.func, ast.Attribute) and _is_write(node, node.func):
            yield f"{module.path}:{node.lineno} .{node.func.attr}()"


def _is_write(call: ast.Call, method: ast.Attribute) -> bool:
    if method.attr in WRITING_METHODS:
        return True
    if method.attr == "update":
        return bool(QUERYSET_WORDS & set(_words(method.value)))
    if method.attr in {"execute", "executemany"} and call.args:
        return _is_writing_sql(call.args[0])
    return False


def _words(node: ast.AST) -> Iterator[str]:
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Attribute):
            yield node.attr
            node = node.value
        else:
            node = node.func


def _is_writing_sql(argument: ast.expr) -> bool:
    if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
        return False
    first = argument.value.split(None, 1)[:1]
    return bool(first) and first[0].upper() in {"INSERT", "UPDATE", "DELETE", "TRUNCATE", "COPY"}

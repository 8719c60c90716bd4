"""Ceilings of files and functions, and names that say nothing."""

import ast

from tests.architecture.source import PACKAGES, Module, modules

FILE_CEILING = 400
TEST_FILE_CEILING = 600
FUNCTION_CEILING = 50
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "constants", "exceptions"}


def test_no_file_is_longer_than_its_ceiling() -> None:
    ours = {module.path: module.lines for module in modules(*PACKAGES)}
    too_long = {path: lines for path, lines in ours.items() if lines > FILE_CEILING}
    tests = {module.path: module.lines for module in modules("tests")}
    too_long |= {path: lines for path, lines in tests.items() if lines > TEST_FILE_CEILING}
    assert not too_long, f"split these files by what they are about: {too_long}"


def test_no_function_is_longer_than_its_ceiling() -> None:
    too_long = [place for module in modules(*PACKAGES) for place in _long_functions(module)]
    assert not too_long, f"over {FUNCTION_CEILING} lines: {too_long}"


def test_every_module_name_says_something() -> None:
    empty = [
        module.path
        for module in modules(*PACKAGES, "tests")
        if EMPTY_NAMES & {part.removeprefix("test_") for part in module.parts}
    ]
    assert not empty, f"a name is owed: {empty}"


def test_every_module_has_a_docstring() -> None:
    silent = [
        module.path
        for module in modules(*PACKAGES)
        if module.tree.body and ast.get_docstring(module.tree) is None
    ]
    assert not silent, f"say what these modules are for: {silent}"


def test_refused_constructs_are_absent() -> None:
    found = [place for module in modules(*PACKAGES) for place in _refused(module)]
    assert not found, f"signals, mark_safe, save() overrides or hidden imports: {found}"


def _long_functions(module: Module) -> list[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        f"{module.path}:{node.lineno} {node.name}"
        for node in ast.walk(module.tree)
        if isinstance(node, functions)
        and (node.end_lineno or node.lineno) - node.lineno + 1 > FUNCTION_CEILING
    ]


def _refused(module: Module) -> list[str]:
    places = []
    for node in ast.walk(module.tree):
        name = _refused_name(node)
        if name:
            places.append(f"{module.path}:{getattr(node, 'lineno', 0)} {name}")
    return places


def _refused_name(node: ast.AST) -> str:
    match node:
        case ast.Name(id="mark_safe" | "receiver" as name):
            return name
        case ast.Attribute(attr="mark_safe" | "import_module" as name):
            return name
        case ast.Name(id="import_module" as name):
            return name
        case ast.ImportFrom(module="django.dispatch" | "django.db.models.signals"):
            return str(node.module)
        case ast.ClassDef(body=body):
            overridden = {item.name for item in body if isinstance(item, ast.FunctionDef)}
            return "save() override" if "save" in overridden else ""
        case _:
            return ""

"""The changes that the mutation runner makes, as data: a place in a source file and a new node."""

import ast
import copy
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FLIPPED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
NAMES = {"NEVER": "UNKNOWN", "UNKNOWN": "NEVER", "min": "max", "max": "min", "any": "all"} | {
    "all": "any"
}
#: Members of an enumeration are exchanged for another of the same one.
MEMBERS = {
    "Code": ("PASSED", "SAFE"),
    "Outcome": ("PASS", "FAIL", "UNDETERMINED"),
    "Verdict": ("PASS", "FAIL", "UNKNOWN"),
    "SeenMode": ("PROCEDURAL", "INFORMATIONAL"),
    "Precedence": ("STRICT", "SAME_TURN"),
    "Scope": ("ITEM", "CALL"),
    "RequiredKind": ("ALWAYS", "OPTIONAL"),
    "PhaseState": ("PASSED", "FAILED", "STARTED", "FINISHED", "REQUIRED"),
    "Operator": ("EQUAL", "UNEQUAL", "LESS", "MORE", "AT_MOST", "AT_LEAST", "IN"),
    "LiveState": ("VIOLATED", "OPEN", "HOLDS_SO_FAR", "DONE"),
}


class Mutant(NamedTuple):
    """One change: the file, the how-manieth node in walking order, and which of its changes.

    `where` is the function or class around it and `change` the text before and after: both stay
    the same when lines move.
    """

    path: Path
    node: int
    choice: int
    line: int
    where: str
    change: str

    @property
    def key(self) -> str:
        """Name the mutant as mutants_explained.txt does."""
        return f"{self.path.as_posix()} ¦ {self.where} ¦ {self.change}"


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every change of a file, each once."""
    tree = ast.parse(path.read_text())
    left_out = set(_left_out(tree))
    owners = _owners(tree)
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in left_out:
            continue
        for choice, changed in enumerate(_changes(node)):
            line = getattr(node, "lineno", getattr(getattr(node, "pattern", None), "lineno", 0))
            text = f"{_text(node)} → {_text(changed)}"
            yield Mutant(path, number, choice, line, owners.get(id(node), "module"), text)


def mutated(mutant: Mutant) -> ast.Module:
    """Return the file's tree with the change made."""
    tree = ast.parse(mutant.path.read_text())
    node = list(ast.walk(tree))[mutant.node]
    changed = list(_changes(node))[mutant.choice]
    node.__class__ = changed.__class__
    node.__dict__.clear()
    node.__dict__.update(changed.__dict__)
    return ast.fix_missing_locations(tree)


# --- The changes ----------------------------------------------------------------------------------


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    yield from _branches(node)
    match node:
        case ast.Compare():
            yield from _comparisons(node)
        case ast.BoolOp(op=op):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=value):
            yield from _constants(node, value)
        case ast.Name(id=name) if name in NAMES:
            yield _with(node, id=NAMES[name])
        case ast.Attribute(value=ast.Name(id=owner), attr=member) if owner in MEMBERS:
            yield _with(node, attr=next(m for m in MEMBERS[owner] if m != member))


def _branches(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            if not isinstance(test, ast.Compare) or len(test.ops) > 1:  # those flip by themselves
                yield _with(node, test=_denied(test))
        case ast.comprehension(ifs=[_, *_]):
            yield _with(node, ifs=[])
        case ast.Match(cases=cases):
            for number in range(len(cases) - 1 if _is_default(cases[-1]) else len(cases)):
                yield _with(node, cases=cases[:number] + cases[number + 1 :])
        case ast.match_case(guard=ast.expr()):
            yield _with(node, guard=None)


def _comparisons(node: ast.Compare) -> Iterator[ast.AST]:
    for number, op in enumerate(node.ops):
        for other in FLIPPED[type(op)]:
            yield _with(node, ops=[*node.ops[:number], other(), *node.ops[number + 1 :]])


def _constants(node: ast.Constant, value: object) -> Iterator[ast.AST]:
    match value:
        case bool():
            yield _with(node, value=not value)
        case None:
            yield _with(node, value=True)
            yield _with(node, value=False)
        case int():
            yield _with(node, value=value + 1)


def _denied(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def _is_default(case: ast.match_case) -> bool:
    return isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


# --- Where changes make no sense ------------------------------------------------------------------


def _left_out(tree: ast.Module) -> Iterator[int]:
    """Yield what decides nothing: annotations, decorators, type aliases, imports, assertions."""
    for node in ast.walk(tree):
        for part in _idle_parts(node):
            for inner in ast.walk(part):
                yield id(inner)


def _idle_parts(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.FunctionDef(args=args, returns=returns, decorator_list=decorators):
            yield from (arg for arg in ast.walk(args) if isinstance(arg, ast.arg))
            yield from [returns] if returns else []
            yield from decorators
        case ast.ClassDef(decorator_list=decorators):
            yield from decorators
        case ast.AnnAssign(annotation=annotation):
            yield annotation
        case ast.Assign(value=(ast.BinOp(op=ast.BitOr()) | ast.Subscript()) as alias):
            yield alias
        case ast.Import() | ast.ImportFrom() | ast.Assert():
            yield node
        case ast.Expr(value=ast.Constant() as docstring):
            yield docstring


def _owners(tree: ast.Module) -> dict[int, str]:
    """Map every node to the name of the innermost function or class around it."""
    found: dict[int, str] = {}
    for owner in ast.walk(tree):  # outer ones come first
        if isinstance(owner, ast.FunctionDef | ast.ClassDef):
            for inner in ast.walk(owner):
                if inner is not owner:
                    found[id(inner)] = owner.name
    return found


def _text(node: ast.AST) -> str:
    match node:
        case ast.Match(cases=cases):
            return "match " + " / ".join(ast.unparse(case.pattern) for case in cases)
        case ast.match_case(pattern=pattern, guard=guard):
            return f"case {ast.unparse(pattern)}" + (f" if {ast.unparse(guard)}" if guard else "")
        case ast.If(test=test) | ast.While(test=test):
            return f"if {ast.unparse(test)}"
        case ast.comprehension(target=target, ifs=ifs):
            return f"for {ast.unparse(target)}" + "".join(f" if {ast.unparse(i)}" for i in ifs)
    return " ".join(ast.unparse(node).split())

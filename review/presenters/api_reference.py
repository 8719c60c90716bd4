"""The API's reference as one value, read off its OpenAPI schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a body or an answer: its path, what it may be, and what it says."""

    name: str
    kind: str
    words: str
    required: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: how it is asked, what it takes, what it answers."""

    id: str
    method: str
    path: str
    summary: str
    words: str
    parameters: tuple[Field, ...]
    takes: tuple[Field, ...]
    answers: tuple[Field, ...]
    statuses: str


@dataclass(frozen=True, slots=True)
class Shape:
    """One named shape of an answer."""

    name: str
    words: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """The whole reference."""

    title: str
    words: str
    operations: tuple[Operation, ...]
    shapes: tuple[Shape, ...]


def show_reference(schema: Plain) -> Reference:
    """Draw the schema."""
    info = schema["info"]
    shapes = schema["components"]["schemas"]
    return Reference(
        title=f"{info['title']}, API {info['version']}",
        words=info["description"],
        operations=tuple(_operations(schema)),
        shapes=tuple(
            Shape(name, shape.get("description", ""), tuple(_fields(shape)))
            for name, shape in sorted(shapes.items())
        ),
    )


def _operations(schema: Plain) -> Iterator[Operation]:
    for path, methods in schema["paths"].items():
        for method, one in methods.items():
            content = one.get("requestBody", {}).get("content", {})
            bodies: list[Plain] = [one["schema"] for one in content.values()]
            good = [code for code in one["responses"] if int(code) < 300]
            yield Operation(
                id=one["operationId"],
                method=method.upper(),
                path=path,
                summary=one["summary"],
                words=one.get("description", ""),
                parameters=tuple(_parameters(one)),
                takes=tuple(_fields(bodies[0])) if bodies else (),
                answers=tuple(
                    Field(str(code), _answer(one, code), "", required=False) for code in good
                ),
                statuses=", ".join(str(code) for code in one["responses"] if int(code) >= 300),
            )


def _parameters(operation: Plain) -> Iterator[Field]:
    for one in operation.get("parameters", ()):
        words = one.get("description", "")
        kind = f"{one['in']}, {_kind(one['schema'])}"
        yield Field(one["name"], kind, words, bool(one.get("required")))


def _fields(shape: Plain, prefix: str = "") -> Iterator[Field]:
    required = shape.get("required", ())
    for name, one in shape.get("properties", {}).items():
        where = f"{prefix}{name}"
        yield Field(where, _kind(one), one.get("description", ""), name in required)
        inner = one.get("items", {})
        if "properties" in inner:
            yield from _fields(inner, f"{where}[].")


def _answer(operation: Plain, code: object) -> str:
    content = operation["responses"][code].get("content", {})
    return ", ".join(_kind(one["schema"]) for one in content.values())


def _kind(schema: Plain) -> str:
    """Say what a value may be, in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return " or ".join("null" if one is None else str(one).lower() for one in schema["enum"])
    kind = schema.get("type", "any value")
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)

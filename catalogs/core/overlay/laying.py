"""Laying the plain values of an overlay over those of its base, and where each of them came to lie.

Nothing is judged here: what an overlay may not do has been taken out of `Tightenings` before.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from catalogs.core.document import Document
from catalogs.core.document.plain import Table, rows_of, table_of, text_of, texts_of
from catalogs.core.document.shapes import SHAPES
from catalogs.core.overlay.form import Overlay

Tightenings = Mapping[str, Table]
"""By phase of the base, what an overlay may write of it."""

_NAMED = ("inputs", "speakers", "labels", "events", "sources", "facts")
_OWN = ("version", "title", "effective", "review_by", "owner", "changelog")
_LISTS = ("parents", "ack", "starts", "contradicts", "facts", "basis", "counterexamples")


@dataclass(slots=True)
class Laid:
    """Merged plain values; `places` says of each place of the overlay where it lies now."""

    data: dict[str, Any]
    places: dict[str, str] = field(default_factory=dict)

    def lines(self, overlay: Overlay) -> dict[str, int]:
        """Return the lines of the overlay by the places of the merged values."""
        found: dict[str, int] = {}
        for path, line in overlay.source.lines.items():
            place = self._place(path)
            if place is not None:
                found[place] = line
        return found

    def _place(self, path: str) -> str | None:
        start = path
        while start not in self.places:
            cut = max(start.rfind("."), start.rfind("["))
            if cut < 0:
                return None
            start = start[:cut]
        return self.places[start] + path[len(start) :]


def lay(base: Document, overlay: Overlay, tightenings: Tightenings, added: list[Table]) -> Laid:
    """Return the values of the base with the overlay's over them. `added` are the phases added."""
    laid = Laid(deepcopy(dict(base.data)))
    _head(laid, base, overlay)
    _phases(laid, overlay, tightenings, added)
    _translate(laid, overlay)
    _tests(laid, overlay)
    laid.data["overlay"] = _origin(base, overlay, tightenings, added)
    order = list(SHAPES["catalog"])
    laid.data = dict(sorted(laid.data.items(), key=lambda one: order.index(one[0])))
    return laid


def _head(laid: Laid, base: Document, overlay: Overlay) -> None:
    data, written = laid.data, overlay.data
    title = text_of(written, "title", f"{base.title} ({', '.join(overlay.sites)})")
    data.update({"catalog": overlay.slug, "title": title, "status": "draft"})
    data.pop("approvers", None)
    for key in ("catalog", *_OWN):
        if written.get(key) is not None:
            data[key] = deepcopy(written[key])
        laid.places[key] = key
    data["extends"] = f"{base.slug}@{overlay.base_major}"
    laid.places |= {"extends": "extends", "sites": "overlay.sites"}
    for key in _NAMED:
        more = dict(table_of(written, key))
        if more:
            data[key] = {**deepcopy(more), **table_of(data, key)}
        own = [name for name in more if name not in table_of(base.data, key)]
        laid.places |= {f"{key}.{name}": f"{key}.{name}" for name in own}
    waivers = rows_of(data, "waivers")
    for index, row in enumerate(rows_of(written, "waivers")):
        laid.places[f"waivers[{index}]"] = f"waivers[{len(waivers)}]"
        waivers.append(dict(row))
    if waivers:
        data["waivers"] = waivers


def _phases(laid: Laid, overlay: Overlay, tightenings: Tightenings, added: list[Table]) -> None:
    phases: list[dict[str, Any]] = laid.data["phases"]
    laid.places["add_phases"] = "phases"
    for index, phase in enumerate(phases):
        written = tightenings.get(phase["id"])
        if written:
            _tighten(laid, phase, written, index, table_of(laid.data, "defaults"))
    rows = rows_of(overlay.data, "add_phases")
    indexes = {text_of(row, "id"): index for index, row in enumerate(rows)}
    for row in added:
        laid.places[f"add_phases[{indexes[text_of(row, 'id')]}]"] = f"phases[{len(phases)}]"
        phases.append(deepcopy(dict(row)))


def _tighten(
    laid: Laid, phase: dict[str, Any], written: Table, index: int, defaults: Table
) -> None:
    here, there = f"tighten.{phase['id']}", f"phases[{index}]"
    laid.places[here] = there
    for key, value in written.items():
        laid.places[f"{here}.{key}"] = f"{there}.{key}"
        if key == "accept":
            _accept(laid, phase, value, f"{here}.accept", f"{there}.accept")
        elif key in _LISTS:
            _append(laid, phase, key, value, f"{here}.{key}", f"{there}.{key}")
        elif isinstance(value, dict) and key in ("critical_parents", "rubric"):
            before = table_of(phase, key)
            phase[key] = {**before, **_over(before, value)}
        else:
            phase[key] = deepcopy(value)
    parents = list(texts_of(phase, "parents"))
    more = [one for one in table_of(phase, "critical_parents") if one not in parents]
    if more:
        phase["parents"] = [*parents, *more]


def _over(before: Table, value: dict[str, Any]) -> dict[str, Any]:
    """Lay named rows over those of the base: of an edge, what is not written stays."""
    found: dict[str, Any] = {}
    for name, row in value.items():
        old = before.get(name)
        found[name] = {**old, **row} if isinstance(old, dict) and isinstance(row, dict) else row
    return found


def _accept(laid: Laid, phase: dict[str, Any], value: Any, here: str, there: str) -> None:
    items: list[dict[str, Any]] = phase["accept"]
    for index, row in enumerate(value):
        known = next((n for n, item in enumerate(items) if item["id"] == row["id"]), None)
        place = len(items) if known is None else known
        laid.places[f"{here}[{index}]"] = f"{there}[{place}]"
        # One that the base has comes here with a waiver only; it takes the place of the base's.
        items[place : place + 1] = [deepcopy(row)]


def _append(laid: Laid, phase: dict[str, Any], key: str, value: Any, here: str, there: str) -> None:
    more = [value] if isinstance(value, str) else list(value)
    before = phase.get(key)
    own = [before] if isinstance(before, str) else list(before or [])
    for index, one in enumerate(more):
        if one in own:
            continue
        laid.places[f"{here}[{index}]"] = f"{there}[{len(own)}]"
        own.append(deepcopy(one))
    phase[key] = own


def _translate(laid: Laid, overlay: Overlay) -> None:
    written = table_of(overlay.data, "translate")
    if not written:
        return
    lang = text_of(written, "lang")
    laid.data["languages"] = [*texts_of(laid.data, "languages"), lang]
    laid.places["translate.lang"] = "languages"
    for key in ("starts", "accept", "ack", "true_if"):
        for name, matchers in table_of(written, key).items():
            target = target_of(laid.data, key, name)
            if target is None or not isinstance(matchers, list):
                continue
            row, field_name, place = target
            own = row[field_name] = list(row.get(field_name) or [])
            for index, matcher in enumerate(matchers):
                here = f"translate.{key}.{name}[{index}]"
                laid.places[here] = f"{place}.{field_name}[{len(own)}]"
                own.append({**deepcopy(matcher), "lang": lang})


def target_of(data: Table, key: str, name: str) -> tuple[dict[str, Any], str, str] | None:
    """Return the row that a translation adds matchers to, its key, and its place; None for a name
    that is not there: `CSV`, `CSV.item`, or a fact.
    """
    if key == "true_if":
        fact = table_of(data, "facts").get(name)
        is_told = isinstance(fact, dict) and "true_if" in fact
        return (fact, "true_if", f"facts.{name}") if isinstance(fact, dict) and is_told else None
    phase_id, _, item_id = name.partition(".")
    if bool(item_id) is (key == "starts") or (key == "accept" and not item_id):
        return None
    for index, phase in enumerate(rows_of(data, "phases")):
        if phase.get("id") != phase_id or not isinstance(phase, dict):
            continue
        if not item_id:
            return phase, key, f"phases[{index}]"
        for number, item in enumerate(rows_of(phase, "accept")):
            if item.get("id") == item_id and isinstance(item, dict):
                inside = "match" if key == "accept" else key
                return item, inside, f"phases[{index}].accept[{number}]"
    return None


def _tests(laid: Laid, overlay: Overlay) -> None:
    """Add the overlay's tests; those of a call that the base tests take the place of its tests."""
    own = rows_of(overlay.data, "tests")
    anew = {_name_of(row) for row in own}
    tests = [row for row in rows_of(laid.data, "tests") if _name_of(row) not in anew]
    laid.places["tests"] = "tests"
    for index in range(len(own)):
        laid.places[f"tests[{index}]"] = f"tests[{len(tests) + index}]"
    laid.data["tests"] = [*tests, *deepcopy(own)]


def _name_of(test: Table) -> tuple[str, str]:
    return (text_of(test, "call"), repr(test.get("id")))


def _origin(
    base: Document, overlay: Overlay, tightenings: Tightenings, added: list[Table]
) -> dict[str, object]:
    items: dict[str, list[str]] = {}
    edges: dict[str, list[str]] = {}
    for phase in base.phases:
        written = tightenings.get(phase.id, {})
        known = {item.id for item in phase.accept}
        own = [str(row["id"]) for row in rows_of(written, "accept") if row["id"] not in known]
        bound = {edge.parent for edge in phase.critical}
        parents = [one for one in table_of(written, "critical_parents") if one not in bound]
        if own:
            items[phase.id] = own
        if parents:
            edges[phase.id] = parents
    return {
        "base": {"catalog": base.slug, "version": base.version, "digest": base.digest},
        "digest": overlay.digest,
        "sites": list(overlay.sites),
        "phases": [str(row["id"]) for row in added],
        "items": items,
        "edges": edges,
    }

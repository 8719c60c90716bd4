"""Merging an overlay with its base: what it may not do is found, left out, and said (E610)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from catalogs.core.document import Document, Phase
from catalogs.core.document.building import build
from catalogs.core.document.complaint import Complaint
from catalogs.core.document.plain import Table, rows_of, table_of, text_of
from catalogs.core.findings import Finding, note
from catalogs.core.overlay.conditions import Loosened, hears_less_as_gate, loosened, owed_more
from catalogs.core.overlay.form import Overlay
from catalogs.core.overlay.laying import Laid, lay, target_of
from catalogs.core.overlay.tightening import ASKS_MORE, refusals
from catalogs.core.overlay.waiving import RULE, outlasted, waiver_of

_SAID = "an overlay may add and tighten, never weaken"


class _Refused(NamedTuple):
    """Something that an overlay may not do: at which key of which phase, and what is said of it."""

    phase: str
    key: str
    complaint: Complaint


def merge(
    base: Document, overlay: Overlay, *, today: date | None = None
) -> tuple[Document | None, tuple[Finding, ...]]:
    """Lay an overlay over its base. Findings have the overlay's own paths and lines.

    What weakens is left out of the document, unless a waiver of E610 stands on `today` (without a
    day, every complete one stands): then it is in, and the finding is a note. The document is None
    where an expression of the overlay cannot be read. Source: domain 5.5.
    """
    found, added = _added(base, overlay)
    found += [*_renamed(base, overlay), *_untranslatable(base, overlay)]
    waiver = waiver_of(overlay, today)
    weak = list(_weakenings(base, overlay))
    refused = [] if waiver else weak
    laid, document, unreadable = _built(base, overlay, refused, added)
    while document is not None and waiver is None:
        more = [one for one in _knock_on(base, document, overlay) if one not in refused]
        if not more:
            break
        refused += more
        laid, document, unreadable = _built(base, overlay, refused, added)
    if waiver is not None and document is not None:
        weak += _knock_on(base, document, overlay)
    if waiver is not None and weak:
        found += outlasted(overlay, *waiver)
    said = weak if waiver else refused
    found += _unread(unreadable, laid)
    findings = (*overlay.found(found), *_say(overlay, said, waiver))
    return document, tuple(sorted(findings, key=lambda one: (one.line or 0, one.code, one.where)))


def _say(
    overlay: Overlay, weak: list[_Refused], waiver: tuple[int, Table] | None
) -> Iterator[Finding]:
    for one in overlay.found([one.complaint for one in weak]):
        if waiver is None:
            yield one
        else:
            until, by = waiver[1]["until"], text_of(waiver[1], "by")
            yield note(one.code, one.where, f"{one.text}; waived by {by} until {until}", one.line)


def _unread(complaints: list[Complaint], laid: Laid) -> Iterator[Complaint]:
    """Say where in the overlay stands what cannot be read."""
    back = {there: here for here, there in laid.places.items()}
    for one in complaints:
        start = one.path
        while start not in back and ("." in start or "[" in start):
            start = start[: max(start.rfind("."), start.rfind("["))]
        yield one._replace(path=back.get(start, start) + one.path[len(start) :])


def _built(
    base: Document, overlay: Overlay, refused: list[_Refused], added: list[Table]
) -> tuple[Laid, Document | None, list[Complaint]]:
    out = {(one.phase, one.key) for one in refused}
    known = {phase.id for phase in base.phases}
    tightenings = {
        phase: {key: row[key] for key in row if (phase, key) not in out}
        for phase, row in _written(overlay)
        if phase in known
    }
    kept: list[Table] = [
        {key: row[key] for key in row if (row["id"], key) not in out} for row in added
    ]
    laid = lay(base, overlay, tightenings, kept)
    document, complaints = build(laid.data, laid.lines(overlay))
    return laid, (None if complaints else document), complaints


def _written(overlay: Overlay) -> Iterator[tuple[str, Table]]:
    for phase, row in table_of(overlay.data, "tighten").items():
        if isinstance(row, dict):
            yield phase, row


def _added(base: Document, overlay: Overlay) -> tuple[list[Complaint], list[Table]]:
    """Return what is wrong with the phases added, and those that can be."""
    known = {phase.id for phase in base.phases}
    complaints: list[Complaint] = []
    added: list[Table] = []
    for index, row in enumerate(rows_of(overlay.data, "add_phases")):
        if row["id"] in known:
            said = f"{row['id']} is a phase of {base.slug} {base.version}; write what you ask more "
            said += f"of it under tighten: {row['id']}, or choose another id"
            complaints.append(Complaint("E104", f"add_phases[{index}]", said))
        else:
            added.append(row)
    for phase, _ in _written(overlay):
        if phase not in known:
            said = f"{base.slug} {base.version} has no phase {phase}; correct the id"
            complaints.append(Complaint("E202", f"tighten.{phase}", said))
    return complaints, added


def _renamed(base: Document, overlay: Overlay) -> Iterator[Complaint]:
    """E610: a name that the base declares means for all sites what it says there."""
    for key in ("inputs", "speakers", "labels", "events", "sources", "facts"):
        own = table_of(base.data, key)
        for name, value in table_of(overlay.data, key).items():
            if name in own and own[name] != value:
                said = f"{name} is declared by {base.slug} in another way; choose another name"
                yield Complaint(RULE, f"{key}.{name}", said)
    if overlay.slug == base.slug:
        said = f"an overlay has a name of its own, such as {base.slug}--{overlay.sites[0]}"
        yield Complaint("E105", "catalog", said)


def _untranslatable(base: Document, overlay: Overlay) -> Iterator[Complaint]:
    written = table_of(overlay.data, "translate")
    lang = text_of(written, "lang")
    if _tongue(lang) in {_tongue(one) for one in base.languages}:
        said = f"{base.slug} hears that language itself; its wordings are changed there, not here"
        yield Complaint(RULE, "translate.lang", said)
    for key in ("starts", "accept", "ack", "true_if"):
        for name, matchers in table_of(written, key).items():
            where = f"translate.{key}.{name}"
            if target_of(base.data, key, name) is None:
                said = f"{base.slug} has no {name} to translate; write {_FORMS[key]} of the base"
                yield Complaint("E202", where, said)
            for index, one in enumerate(matchers if isinstance(matchers, list) else ()):
                if "re" not in one and "ask" not in one:
                    said = "an event has no language; only words are translated"
                    yield Complaint(RULE, f"{where}[{index}]", said)
                elif one.get("lang", lang) != lang:
                    said = f"this is for {one['lang']}, the translation for {lang}"
                    yield Complaint(RULE, f"{where}[{index}].lang", said)


def _tongue(lang: str) -> str:
    """Return a language without its country: en-GB and en-US are one."""
    return lang.partition("-")[0].lower()


_FORMS = {
    "starts": "a phase (CSV)",
    "accept": "a phase and its item (CSV.active)",
    "ack": "a phase (CSV) or an item (CSV.active)",
    "true_if": "a fact",
}


def _weakenings(base: Document, overlay: Overlay) -> Iterator[_Refused]:
    phases = {phase.id: phase for phase in base.phases}
    for phase, row in _written(overlay):
        if phase not in phases:
            continue
        for key, below, said in refusals(phases[phase], row):
            where = f"tighten.{phase}.{key}{below}"
            yield _Refused(phase, key, Complaint(RULE, where, f"{said}; {_SAID}"))


def _knock_on(base: Document, merged: Document, overlay: Overlay) -> Iterator[_Refused]:
    """Yield the tightenings that make a condition elsewhere hold less often."""
    written = dict(_written(overlay))
    before = {phase.id: phase for phase in base.phases}
    after = {phase.id: phase for phase in merged.phases}
    asked = {
        name: next(key for key in row if key in ASKS_MORE)
        for name, row in written.items()
        if name in before and _asks_more(before[name], after[name], row)
    }
    gates = list(_new_gates(base, merged, overlay))
    for one in loosened(base, merged, {*asked, *(parent for parent, _, _ in gates)}):
        if one.phase in asked:
            yield _knocked(one.phase, asked[one.phase], f"tighten.{one.phase}", one)
        for parent, child, where in gates:
            if parent == one.phase:
                yield _knocked(child, "critical_parents", where, one)
    for phase, key in asked.items():
        if before[phase].contradicts:
            yield _unheard(phase, key, f"tighten.{phase}", phase)
    for parent, child, where in gates:
        if before[parent].contradicts:
            yield _unheard(child, "critical_parents", where, parent)
    owed = {name for name in before if before[name].required != after[name].required}
    for one in owed_more(base, merged, owed):
        yield _knocked(one.phase, "required", f"tighten.{one.phase}", one)


def _new_gates(
    base: Document, merged: Document, overlay: Overlay
) -> Iterator[tuple[str, str, str]]:
    """Yield the phases of the base that an edge of the overlay makes gates in which less is heard,
    with the child of the edge and its place.
    """
    before = {phase.id: phase for phase in base.phases}
    rows = [(child, f"tighten.{child}", row) for child, row in _written(overlay)]
    rows += [
        (text_of(row, "id"), f"add_phases[{index}]", row)
        for index, row in enumerate(rows_of(overlay.data, "add_phases"))
    ]
    for child, where, row in rows:
        for parent in table_of(row, "critical_parents"):
            is_new = parent in before and parent in merged.gates - base.gates
            if is_new and hears_less_as_gate(before[parent], base):
                yield parent, child, where


def _asks_more(before: Phase, after: Phase, row: Table) -> bool:
    return any(key in row and getattr(before, key) != getattr(after, key) for key in ASKS_MORE)


def _knocked(phase: str, key: str, where: str, one: Loosened) -> _Refused:
    said = f"asks more of {one.phase}, and {one.text}: its condition reads {one.phase}. "
    if one.helps_always:
        said += f"Tighten {one.phase}.required to always as well, or ask"
    else:
        said += "Ask"
    said += " for it in a phase of its own"
    return _Refused(phase, key, Complaint(RULE, f"{where}.{key}", said))


def _unheard(phase: str, key: str, where: str, read: str) -> _Refused:
    """A phase that finishes later is contradicted by fewer words: those before its new finish no
    longer send the row to a person.
    """
    said = f"asks more of {read}, and words that contradict it before it then finishes would no "
    said += "longer send it to a person. Ask for it in a phase of its own"
    return _Refused(phase, key, Complaint(RULE, f"{where}.{key}", said))

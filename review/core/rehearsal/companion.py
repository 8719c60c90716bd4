"""Reader of ``oip-sentences/1``: many more ways to say a thing than a rubric has room for.

One file per catalog lists, phase by phase, snippets that enter the phase (``starts``), small
dialogues that show every acceptance item (``satisfies``) and plausible ones that must not finish
it (``near_misses``). ``beyond_rules`` keeps those that only a person can judge; they are counted,
not run. It is read with the caps and codes of a catalog: what is no such file gives
findings and nothing to run. Schema: ``sentences.schema.json`` (held equal by a test).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from catalogs.core.document import Document, EventMatcher, Phase
from catalogs.core.document.complaint import Complaint
from catalogs.core.document.reading import Source, read
from catalogs.core.findings import Finding, error, warning

FORMAT = "oip-sentences/1"

#: What stands before the place of a finding about the companion file instead of the catalog.
PLACE = "sentences:"

#: The lists of a phase, and how many sentences each should hold at least.
LISTS: Mapping[str, int] = {"starts": 12, "satisfies": 12, "near_misses": 6, "beyond_rules": 0}

_KEYS = ("format", "catalog", "phases")


@dataclass(frozen=True, slots=True)
class Sentences:
    """A read companion file: by phase and list, the sentences. `lines` maps a place to its line."""

    catalog: str
    phases: Mapping[str, Mapping[str, tuple[str, ...]]]
    lines: Mapping[str, int] = field(repr=False, default_factory=dict)

    def of(self, phase: str, name: str) -> tuple[str, ...]:
        """Return the sentences of one list of a phase, none where there is no such list."""
        return self.phases.get(phase, {}).get(name, ())

    @property
    def beyond_rules(self) -> int:
        """How many sentences are left to people."""
        return sum(len(lists.get("beyond_rules", ())) for lists in self.phases.values())

    def line(self, place: str) -> int | None:
        """Return the line of a place such as ``phases.PID.starts[3]``."""
        return self.lines.get(place)


def load_sentences(data: bytes) -> tuple[Sentences | None, tuple[Finding, ...]]:
    """Read a companion file. None exactly when a finding leaves nothing to run. Never raises."""
    source = read(data)
    complaints = list(source.complaints) or list(_checked(source.value))
    findings = tuple(_finding(complaint, source) for complaint in complaints)
    if findings or not isinstance(source.value, dict):
        return None, findings
    phases = {
        name: {key: tuple(texts or ()) for key, texts in (lists or {}).items()}
        for name, lists in source.value["phases"].items()
    }
    return Sentences(str(source.value["catalog"]), phases, source.lines), ()


def fitness(sentences: Sentences, document: Document) -> tuple[Finding, ...]:
    """Say where a companion file does not fit its catalog: E520, and W525 for what is scarce."""
    return (*_foreign(sentences, document), *_scarce(sentences, document))


def _foreign(sentences: Sentences, document: Document) -> Iterator[Finding]:
    if sentences.catalog != document.slug:
        said = f"these sentences are for {sentences.catalog[:40]!r}, the catalog is {document.slug}"
        yield error("E520", f"{PLACE}catalog", said, sentences.line("catalog"))
    known = {phase.id for phase in document.phases}
    for name in sentences.phases:
        if name not in known:
            place = f"phases.{name}"
            said = f"{name[:40]!r} is no phase of {document.slug}; rename it or drop its sentences"
            yield error("E520", f"{PLACE}{place}", said, sentences.line(place))


def _scarce(sentences: Sentences, document: Document) -> Iterator[Finding]:
    for phase in document.phases:
        if not _is_heard(phase):
            continue
        for name, least in LISTS.items():
            count = len(sentences.of(phase.id, name))
            if count < least:
                place = f"phases.{phase.id}.{name}"
                said = f"{count} sentences under {name} of {phase.id}; write {least} or more"
                line = sentences.line(place) or sentences.line(f"phases.{phase.id}") or 1
                yield warning("W525", f"{PLACE}{place}", said, line)


def _is_heard(phase: Phase) -> bool:
    """Say whether words can enter or pass a phase; where only events can, no sentence is owed."""
    matchers = (*phase.starts, *(matcher for item in phase.accept for matcher in item.match))
    return not all(isinstance(matcher, EventMatcher) for matcher in matchers)


def _checked(value: object) -> Iterator[Complaint]:
    if not isinstance(value, dict):
        said = f"keys and values are expected; start with `format: {FORMAT}`"
        yield Complaint("E117", "", said, 1)
        return
    yield from _keys(value, _KEYS, "")
    for key in _KEYS:
        if not value.get(key):
            yield Complaint("E102", "", f"the key {key!r} is missing or empty; add it")
    if value.get("format") not in (None, "", FORMAT):
        yield Complaint("E106", "format", f"this is no {FORMAT}; correct the format")
    catalog = value.get("catalog")
    if catalog and not isinstance(catalog, str):
        yield Complaint("E117", "catalog", "the name of a catalog is expected here")
    phases = value.get("phases")
    if phases and not isinstance(phases, dict):
        yield Complaint("E117", "phases", "phase ids with their lists are expected here")
    for name, lists in phases.items() if isinstance(phases, dict) else ():
        yield from _phase(lists, f"phases.{name}")


def _phase(lists: object, path: str) -> Iterator[Complaint]:
    if not isinstance(lists, dict):
        yield Complaint("E117", path, f"{', '.join(LISTS)} are expected here, each with a list")
        return
    yield from _keys(lists, tuple(LISTS), path)
    for name, texts in lists.items():
        if name not in LISTS:
            continue
        if not isinstance(texts, list):
            yield Complaint("E117", f"{path}.{name}", "a list of sentences is expected here")
            continue
        for index, text in enumerate(texts):
            if not isinstance(text, str) or not text.strip():
                said = "a sentence in quotes is expected here"
                yield Complaint("E117", f"{path}.{name}[{index}]", said)


def _keys(value: Mapping[str, object], known: tuple[str, ...], path: str) -> Iterator[Complaint]:
    for key in value:
        if key not in known:
            said = f"unknown key {key[:40]!r}; the keys here are {', '.join(known)}"
            yield Complaint("E101", f"{path}.{key}" if path else key, said)


def _finding(complaint: Complaint, source: Source) -> Finding:
    line = complaint.line or source.lines.get(complaint.path, 1)
    return error(complaint.code, f"{PLACE}{complaint.path or 'file'}", complaint.text, line)

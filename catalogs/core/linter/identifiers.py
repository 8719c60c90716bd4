"""Rules about names: each must be declared, and be what it looks like."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from catalogs.core.document import (
    AskMatcher,
    Document,
    EventMatcher,
    ListKey,
    TextMatcher,
    ToolKey,
    in_words,
)
from catalogs.core.findings import Finding, error
from catalogs.core.linter.matchers import all_matchers

_HIDDEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f]")
# The b of \b and the letters of a class such as [a-z] are no part of the word beside them.
_NOT_WORDS = re.compile(r"\\[A-Za-z]|\[[^\]]*\]")
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL")


def unknown_role(document: Document) -> Iterator[Finding]:
    """E404: a role that `speakers` does not declare."""
    for matcher in all_matchers(document):
        if isinstance(matcher, TextMatcher):
            yield from _roles(document, f"{matcher.path}.by", matcher.by)
        elif isinstance(matcher, AskMatcher):
            yield from _roles(document, f"{matcher.path}.by", matcher.by)
            yield from _roles(document, f"{matcher.path}.answer_by", matcher.answer_by)
    for label, role in document.labels.items():
        yield from _roles(document, f"labels.{label}", (role,))


def _roles(document: Document, where: str, roles: tuple[str, ...]) -> Iterator[Finding]:
    for role in roles:
        if role not in document.speakers:
            said = f"unknown speaker role {role!r}; declare it under speakers or correct it"
            yield error("E404", where, said, document.line(where))


def unknown_event(document: Document) -> Iterator[Finding]:
    """E405: an event or a field that `events` does not declare."""
    for matcher in all_matchers(document):
        if isinstance(matcher, EventMatcher):
            yield from _event(document, matcher)
    for phase in document.phases:
        if isinstance(phase.for_each, ToolKey):
            where = f"{phase.id}.for_each"
            for name in phase.for_each.tools:
                spec = document.events.get(name)
                if spec is None or spec.source.value != "tool":
                    said = f"unknown tool event {name!r}; declare it under events or correct it"
                    yield error("E405", where, said, document.line(where))


def _event(document: Document, matcher: EventMatcher) -> Iterator[Finding]:
    kind = matcher.source.value
    spec = document.events.get(matcher.name)
    where = f"{matcher.path}.{kind}"
    if spec is None or spec.source is not matcher.source:
        said = f"unknown {kind} event {matcher.name!r}; declare it under events or correct it"
        yield error("E405", where, said, document.line(where))
        return
    for name in matcher.where:
        if name not in spec.fields:
            said = f"the event {matcher.name!r} has no field {name!r}; declare it or correct it"
            yield error("E405", f"{matcher.path}.where", said, document.line(where))


def not_a_list_input(document: Document) -> Iterator[Finding]:
    """E410: `for_each` over something that is no declared list."""
    for phase in document.phases:
        key = phase.for_each
        if isinstance(key, ListKey) and document.inputs.get(key.attribute) != "list":
            where = f"{phase.id}.for_each"
            said = f"call.{key.attribute} is no list input; declare it as list under inputs"
            yield error("E410", where, said, document.line(where))


def unknown_source(document: Document) -> Iterator[Finding]:
    """E611: a citation of a source that is not declared."""
    cited = [(f"{phase.id}.basis", name) for phase in document.phases for name in phase.basis]
    cited += [
        (f"{phase.id}.critical_parents.{edge.parent}.sources", name)
        for phase in document.phases
        for edge in phase.critical
        for name in edge.sources
    ]
    for where, name in cited:
        if name not in document.sources:
            said = f"the source {name!r} is cited but not declared; add it under sources"
            yield error("E611", where, said, document.line(where))


def deceptive_characters(document: Document) -> Iterator[Finding]:
    """E614: hidden, direction-changing or mixed-script characters in names, texts and patterns."""
    for path, text in _texts(document.data, ""):
        said = _deception(text)
        if said:
            where = in_words(path, document.data)
            yield error("E614", where, said, document.line(where))


def _texts(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            inner = f"{path}.{key}" if path else key
            yield inner, key
            yield from _texts(item, inner)


def _deception(text: str) -> str | None:
    if text.isascii():
        return None
    hidden = _HIDDEN.search(text)
    if hidden:
        name = f"U+{ord(hidden.group()):04X}"
        return f"an invisible or direction-changing character ({name}) stands here; type it again"
    for word in _WORD.findall(_NOT_WORDS.sub(" ", text)):
        scripts = {_script(letter) for letter in word} - {None}
        if len(scripts) > 1:
            return f"{word[:40]!r} mixes look-alike letters of several alphabets; type it again"
    return None


def _script(letter: str) -> str | None:
    name = unicodedata.name(letter, "")
    return next((script for script in _SCRIPTS if name.startswith(script)), None)

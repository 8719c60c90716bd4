"""Rules about patterns: RE2 only, bounded, and tied to who speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import re2

from catalogs.core.document import AskMatcher, Document
from catalogs.core.findings import Finding, error, warning
from catalogs.core.linter.matchers import Pattern, all_patterns, spoken_matchers

MAX_PROGRAM = 20_000
"""Instructions of a compiled pattern; above it one pattern slows a whole set down."""

MAX_REPEAT = 500
"""The largest counted repeat; `.{0,60}` is what authors need."""

_MAX_MEMORY = 64 << 20
_PROBES = ("", "a", "a b", "0.", " ", "\n")
_MENU_ROLES = frozenset({"ivr", "system"})
_REPEAT = re.compile(r"(?<!\\)(?:\\\\)*\{(\d+)(?:,(\d*))?\}")
_UNBOUNDED = re.compile(r"(?<!\\)(?:\\\\)*\.[*+]")
_ASCII_CLASS = re.compile(r"\\[bBdDwW]")
_PERL_ONLY = {
    "(?=": "look-ahead",
    "(?!": "look-ahead",
    "(?<=": "look-behind",
    "(?<!": "look-behind",
    "(?>": "an atomic group",
    "(?(": "a conditional group",
}


@lru_cache(maxsize=1_024)
def _compiled(pattern: str) -> tuple[re2._Regexp | None, str]:
    """Return the compiled pattern, or None and RE2's own words."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    try:
        return re2.compile(pattern, options), ""
    except (re2.error, UnicodeError) as refusal:
        first = refusal.args[0] if refusal.args else refusal
        said = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
        return None, said


def refused_by_re2(document: Document) -> Iterator[Finding]:
    """E401: a pattern that RE2 does not take."""
    for pattern in all_patterns(document):
        compiled, said = _compiled(pattern.text)
        if compiled is None:
            yield error(
                "E401", pattern.where, _refusal(pattern.text, said), _line(document, pattern)
            )


def _refusal(text: str, said: str) -> str:
    for opening, name in _PERL_ONLY.items():
        if opening in text:
            return f"RE2 has no {name} {opening}...); say what must not stand there with `unless`"
    if re.search(r"\\[1-9]", text):
        return "RE2 has no back-references such as \\1; write the repeated words out"
    return f"RE2 refuses this pattern: {said[:80]}. Correct it; quote it with single quotes"


def _line(document: Document, pattern: Pattern) -> int | None:
    return document.line(pattern.where)


def matches_empty(document: Document) -> Iterator[Finding]:
    """E402: a pattern that hits without a single character."""
    for pattern in all_patterns(document):
        compiled, _ = _compiled(pattern.text)
        if not pattern.exempts and compiled is not None and _hits_nothing(compiled):
            said = "this pattern matches the empty string, so every turn hits; require a word"
            yield error("E402", pattern.where, said, _line(document, pattern))


def _hits_nothing(compiled: re2._Regexp) -> bool:
    hits = (compiled.search(probe) for probe in _PROBES)
    return any(hit is not None and hit.start() == hit.end() for hit in hits)


def no_speaker(document: Document) -> Iterator[Finding]:
    """E403: a matcher on words that names no role."""
    for matcher in spoken_matchers(document):
        if not matcher.by:
            said = "no speaker: add by: [role]; without it a phone menu would count as the person"
            yield error("E403", matcher.path, said, document.line(matcher.path))


def listens_to_menu(document: Document) -> Iterator[Finding]:
    """W407: a matcher that listens to the phone menu or to markers."""
    for matcher in spoken_matchers(document):
        heard = sorted(_MENU_ROLES & set(matcher.by))
        if heard:
            said = f"listens to {' and '.join(heard)}; leave only the people whose words count"
            yield warning("W407", f"{matcher.path}.by", said, document.line(f"{matcher.path}.by"))


def unbounded(document: Document) -> Iterator[Finding]:
    """W408: `.*` or `.+`, which runs over a whole turn."""
    for pattern in all_patterns(document):
        if _UNBOUNDED.search(pattern.text):
            said = "'.*' or '.+' joins words from anywhere in a turn; bound it, as in .{0,40}"
            yield warning("W408", pattern.where, said, _line(document, pattern))


def ask_without_answer(document: Document) -> Iterator[Finding]:
    """E414: a question whose answering roles are not named."""
    for matcher in spoken_matchers(document):
        if isinstance(matcher, AskMatcher) and not matcher.answer_by:
            said = "a question needs answer_by: [role], the role whose next turn is the answer"
            yield error("E414", matcher.path, said, document.line(matcher.path))


def too_large(document: Document) -> Iterator[Finding]:
    """E420: a pattern too large to search fast: its program, or a counted repeat."""
    for pattern in all_patterns(document):
        compiled, _ = _compiled(pattern.text)
        size = 0 if compiled is None else compiled.programsize
        repeat = _largest_repeat(pattern.text)
        said = ""
        if size > MAX_PROGRAM:
            said = f"compiles to {size:,} steps, {MAX_PROGRAM:,} are allowed; split the pattern"
        elif repeat > MAX_REPEAT:
            said = f"repeats {repeat} times, {MAX_REPEAT} are allowed; lower the count"
        if said:
            yield error("E420", pattern.where, said, _line(document, pattern))


def _largest_repeat(text: str) -> int:
    # Nine digits are more than enough to be too many, and int() refuses very long texts.
    counts = [
        int(number[:9]) for hit in _REPEAT.finditer(text) for number in hit.groups() if number
    ]
    return max(counts, default=0)


def non_ascii_beside_classes(document: Document) -> Iterator[Finding]:
    r"""W423: letters outside ASCII in a pattern with \b, \w or \d, which know ASCII only."""
    for pattern in all_patterns(document):
        if not pattern.text.isascii() and _ASCII_CLASS.search(pattern.text):
            said = "\\b, \\w and \\d know plain a-z and 0-9 only; write spaces or [^ ] around words"
            yield warning("W423", pattern.where, said, _line(document, pattern))


def no_value_group(document: Document) -> Iterator[Finding]:
    """E425: the value of a fact is read by a pattern without a group named value."""
    for fact in document.facts.values():
        if fact.value is None:
            continue
        compiled, _ = _compiled(fact.value.pattern)
        if compiled is not None and "value" not in compiled.groupindex:
            where = f"{fact.value.path}.re"
            said = "nothing here is the value; put it in a group named value: (?P<value>...)"
            yield error("E425", where, said, document.line(where))


def words_as_value(document: Document) -> Iterator[Finding]:
    """E426: a fact that would carry words of a call out of the sealed text."""
    for fact in document.facts.values():
        if fact.value is not None and fact.type != "number":
            where = f"facts.{fact.name}.type"
            said = (
                f"a value of type {fact.type} would keep the caller's words outside the sealed "
                "text; cut out a number, or ask yes or no with true_if"
            )
            yield error("E426", where, said, document.line(where))


def exempts_everything(document: Document) -> Iterator[Finding]:
    """W615: an `unless` that matches every turn, so its matcher never hits."""
    for pattern in all_patterns(document):
        compiled, _ = _compiled(pattern.text)
        if pattern.exempts and compiled is not None and _hits_nothing(compiled):
            said = "this unless matches every turn, so the matcher never hits; require a word"
            yield warning("W615", pattern.where, said, _line(document, pattern))

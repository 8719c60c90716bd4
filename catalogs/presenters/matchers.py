"""Matchers in words: who says or does what. Patterns stay as they are, for those who read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from catalogs.core.document import (
    AskMatcher,
    EventMatcher,
    EventSource,
    Matcher,
    OkPolicy,
    TextMatcher,
)
from catalogs.presenters.version_words import plural

_EVENTS = {EventSource.TOOL: "tool call", EventSource.UI: "screen event"}
_OUTCOMES = {OkPolicy.TRUE: " that succeeds", OkPolicy.FALSE: " that fails", OkPolicy.ANY: ""}


@dataclass(frozen=True, slots=True)
class ShownMatcher:
    """One matcher. `exempt` names the pattern that takes words out again, `exempt_answer` the one
    for the answer; both may be empty.
    """

    words: str
    pattern: str
    exempt: str
    exempt_answer: str


def show_matcher(matcher: Matcher) -> ShownMatcher:
    """Put a matcher in words."""
    match matcher:
        case TextMatcher():
            words = f"said by {_roles(matcher.by)}{_narrowed(matcher.lang, matcher.within_seconds)}"
            return ShownMatcher(words, matcher.pattern, matcher.unless or "", "")
        case AskMatcher():
            return _show_ask(matcher)
        case EventMatcher():
            words = f"{_EVENTS[matcher.source]}{_OUTCOMES[matcher.ok]}"
            return ShownMatcher(
                f"{words}{_narrowed(None, matcher.within_seconds)}", _event(matcher), "", ""
            )
        case _:
            assert_never(matcher)


def _show_ask(matcher: AskMatcher) -> ShownMatcher:
    words = (
        f"asked by {_roles(matcher.by)}, answered by {_roles(matcher.answer_by)} within "
        f"{plural(matcher.within, 'turn')}{_narrowed(matcher.lang, matcher.within_seconds)}"
    )
    return ShownMatcher(words, matcher.pattern, matcher.unless or "", matcher.answer_unless or "")


def _event(matcher: EventMatcher) -> str:
    tested = ", ".join(f"{name} = {_value(value)}" for name, value in matcher.where.items())
    return f"{matcher.name} ({tested})" if tested else matcher.name


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _roles(roles: tuple[str, ...]) -> str:
    return " or ".join(roles)


def _narrowed(lang: str | None, seconds: int | None) -> str:
    spoken = f", in {lang}" if lang else ""
    return f"{spoken}, within the first {plural(seconds, 'second')}" if seconds else spoken

"""Building matchers: what a turn or an event must show."""

from __future__ import annotations

from catalogs.core.document.model import (
    AskMatcher,
    EventMatcher,
    EventSource,
    Matcher,
    OkPolicy,
    TextMatcher,
)
from catalogs.core.document.plain import (
    Context,
    Table,
    count_or_none,
    rows_of,
    scalar_of,
    table_of,
    text_of,
    text_or_none,
    texts_of,
)

_DEFAULT_WITHIN = 3


def build_matchers(
    table: Table, key: str, path: str, context: Context, ok: OkPolicy
) -> tuple[Matcher, ...]:
    """Build the list of matchers at a key. `ok` is the outcome a tool call needs where a matcher
    names none.
    """
    rows = enumerate(rows_of(table, key))
    return tuple(build_matcher(row, f"{path}.{key}[{index}]", context, ok) for index, row in rows)


def build_matcher(row: Table, path: str, context: Context, ok: OkPolicy) -> Matcher:
    """Build one matcher, of the kind its own key names."""
    if "re" in row:
        return build_text_matcher(row, path, context)
    if "ask" in row:
        return _ask_matcher(row, path, context)
    return _event_matcher(row, path, context, ok)


def build_text_matcher(row: Table, path: str, context: Context) -> TextMatcher:
    """Build a matcher on the words of a turn."""
    return TextMatcher(
        path=context.words(path),
        pattern=text_of(row, "re"),
        by=texts_of(row, "by"),
        unless=text_or_none(row, "unless"),
        within_seconds=count_or_none(row, "within_seconds"),
        lang=text_or_none(row, "lang"),
    )


def _ask_matcher(row: Table, path: str, context: Context) -> AskMatcher:
    return AskMatcher(
        path=context.words(path),
        pattern=text_of(row, "ask"),
        by=texts_of(row, "by"),
        answer_by=texts_of(row, "answer_by"),
        within=count_or_none(row, "within") or _DEFAULT_WITHIN,
        unless=text_or_none(row, "unless"),
        answer_unless=text_or_none(row, "answer_unless"),
        within_seconds=count_or_none(row, "within_seconds"),
        lang=text_or_none(row, "lang"),
    )


def _event_matcher(row: Table, path: str, context: Context, ok: OkPolicy) -> EventMatcher:
    source = EventSource.TOOL if "tool" in row else EventSource.UI
    return EventMatcher(
        path=context.words(path),
        source=source,
        name=text_of(row, source.value),
        where={name: scalar_of(value) for name, value in table_of(row, "where").items()},
        # A screen event has no outcome that could fail.
        ok=OkPolicy.ANY if source is EventSource.UI else outcome_of(row, ok),
        within_seconds=count_or_none(row, "within_seconds"),
    )


def outcome_of(row: Table, default: OkPolicy) -> OkPolicy:
    """Read `ok: true | false | any`."""
    match row.get("ok"):
        case None:
            return default
        case True:
            return OkPolicy.TRUE
        case False:
            return OkPolicy.FALSE
        case _:
            return OkPolicy.ANY

"""The turns of a transcript and what happened at them, written here and not by templates: a page
has hundreds of each, and a template for each was a quarter of what the page took.
"""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from review.presenters.events import EventLine
from review.presenters.segments import Letter, Segment
from review.presenters.transcript import GutterMark, TurnLine

register = template.Library()

_TURN = "<li {}><span>{}</span>{}<b{}>{}</b><p{}>{}</p>{}{}</li>\n"
_PLAIN = "<li {}><span>{}</span><b>{}</b><p>{}</p></li>\n"


@register.simple_tag
def turn_list(lines: Iterable[TurnLine], *, oob: bool = False) -> SafeString:
    """Write turns; `oob` ones take the place of those that a page shows."""
    return format_html_join("", "{}", ((_turn(one, oob=oob),) for one in lines))


@register.simple_tag
def event_list(events: Iterable[EventLine]) -> SafeString:
    """Write what happened at a turn, or at none."""
    return format_html('<ul class="events">{}</ul>', format_html_join("", "{}", _events(events)))


def _turn(line: TurnLine, *, oob: bool) -> SafeString:
    own = format_html('id="{}"', line.anchor)
    if oob:
        own = format_html('{} hx-swap-oob="true"', own)
    if line.classes:
        own = format_html('{} class="{}"', own, line.classes)
    if line.words:
        return format_html(_PLAIN, own, line.number, line.role, line.words)
    return format_html(
        _TURN,
        own,
        line.number,
        _marks(line.marks) if line.marks else "",
        format_html(' title="{}"', line.speaker) if line.speaker else "",
        _role(line),
        format_html(' dir="{}"', "auto") if line.any_direction else "",
        format_html_join("", "{}", ((_segment(one),) for one in line.segments)),
        event_list(line.events) if line.events else "",
        format_html('<p class="doubt">? {}</p>', ", ".join(line.doubts)) if line.doubts else "",
    )


def _marks(marks: Iterable[GutterMark]) -> SafeString:
    shown = format_html_join(
        "",
        '<span class="gutter hue-{}{}"><span aria-hidden="true">{} {}</span>'
        '<span class="visually-hidden">{}. </span></span>',
        (
            (one.hue, " item" if one.signs == "•" else "", one.signs, one.phase, one.spoken)
            for one in marks
        ),
    )
    return format_html('<span class="turn-marks">{}</span>', shown)


def _role(line: TurnLine) -> SafeString:
    role = format_html("{}", line.role)
    if line.unmapped:
        role = format_html(
            '<span aria-hidden="true">? </span><span class="visually-hidden">no role: </span>{}',
            role,
        )
    return format_html("{} <small>{}</small>", role, line.time) if line.time else role


def _segment(part: Segment) -> SafeString:
    text = format_html("{}", part.text)
    if part.masked:
        masked = '<span class="masked" role="img" aria-label="{}">{}</span>'
        text = format_html(masked, part.masked, text)
    if not part.hue:
        return text
    twice = format_html(" twice second-{}", part.second) if part.second else ""
    mark = '<mark class="evidence hue-{}{}">{}</mark>{}'
    return format_html(mark, part.hue, twice, text, _letters(part.letters))


def _letters(letters: Iterable[Letter]) -> SafeString:
    shown = ((one.hue, one.phase) for one in letters)
    return format_html_join("", '<sup class="letter hue-{}">{}</sup>', shown)


def _events(events: Iterable[EventLine]) -> Iterable[tuple[SafeString]]:
    for one in events:
        yield (
            format_html(
                "<li{}><i>{}</i> <span>{}</span>{}{}{}</li>",
                format_html(' class="{}"', "failed") if one.failed else "",
                one.source,
                one.name,
                f" {one.arguments}" if one.arguments else "",
                format_html(' <span class="outcome">→ {}</span>', one.outcome)
                if one.outcome
                else "",
                _letters(one.letters),
            ),
        )

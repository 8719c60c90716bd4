"""The turns of a transcript, most of which are nothing but a number, a role and words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from review.presenters.transcript import TurnLine

register = template.Library()

_PLAIN = '<li id="{}"{}><span>{}</span><b>{}</b><p>{}</p></li>\n'


@register.simple_tag(takes_context=True)
def turn_list(context: Context, lines: Iterable[TurnLine]) -> SafeString:
    """Write the turns: plain ones here, for there are hundreds, the rest by their template."""
    return format_html_join("", "{}", ((one,) for one in _written(context, lines)))


def _written(context: Context, lines: Iterable[TurnLine]) -> Iterator[SafeString]:
    engine = context.template.engine  # type: ignore[union-attr]  # set while a template renders
    whole = engine.get_template("review/turn.html")
    for line in lines:
        words = line.words
        if words:
            classes = format_html(' class="{}"', line.classes) if line.classes else ""
            yield format_html(_PLAIN, line.anchor, classes, line.number, line.role, words)
        else:
            with context.push(line=line):
                yield whole.render(context)

"""How templates are read: laid out for people who write them, sent without that layout.

A run of white space with a line break in it becomes one line break; beside a block, and on a line
that holds nothing but control tags, it becomes nothing. Between inline elements a line break is a
space as before; nothing of this touches a value.
"""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders.filesystem import Loader

_CONTROL = (
    "if|elif|else|endif|for|empty|endfor|with|endwith|block|endblock|partialdef|endpartialdef"
    "|load|extends"
)
_TAG = rf"\{{% (?:{_CONTROL})\b[^\n]*?%\}}|\{{#[^\n]*?#\}}"
_CONTROL_LINE = re.compile(rf"^((?:(?:{_TAG})[ \t]*)+)\n", re.MULTILINE)
_LAYOUT = re.compile(r"[ \t\r]*\n\s*")
# Elements that no style of ours sets into a line of text; headings may stand in one.
_BLOCK = (
    r"</?(?:html|head|meta|link|title|body|header|nav|main|section|div|ul|ol|li|dl|dt|dd|table|thead"
    r"|tbody|tr|th|td|details|summary|figure|figcaption|svg|g|desc|line|rect)\b"
)
_BEFORE_BLOCK = re.compile(rf"\n(?={_BLOCK})")
_AFTER_BLOCK = re.compile(rf"({_BLOCK}[^<>]*>)\n")


class TightLoader(Loader):
    """Reads the project's own templates and drops their layout, once per template and process."""

    def get_contents(self, origin: Origin) -> str:
        """Return a template's text without its layout. Raises TemplateDoesNotExist."""
        return tightened(super().get_contents(origin))


def tightened(text: str) -> str:
    r"""Drop the layout of a template.

    >>> tightened("<ul>\n  {% for one in all %}\n  <li>a  b</li>\n  {% endfor %}\n</ul>\n")
    '<ul>{% for one in all %}<li>a  b</li>{% endfor %}</ul>'
    """
    lines = _LAYOUT.sub("\n", text)
    lines = _CONTROL_LINE.sub(lambda found: found.group(1).rstrip(), lines)
    return _AFTER_BLOCK.sub(r"\1", _BEFORE_BLOCK.sub("", lines))

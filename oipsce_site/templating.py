"""How templates are read: laid out for people who write them, sent without that layout.

A run of white space with a line break in it becomes one line break, and a line that holds nothing
but control tags leaves none. Between inline elements a line break is a space as before; nothing of
this touches a value.
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


class TightLoader(Loader):
    """Reads the project's own templates and drops their layout, once per template and process."""

    def get_contents(self, origin: Origin) -> str:
        """Return a template's text without its layout. Raises TemplateDoesNotExist."""
        return tightened(super().get_contents(origin))


def tightened(text: str) -> str:
    r"""Drop the layout of a template.

    >>> tightened("<ul>\n  {% for one in all %}\n  <li>a  b</li>\n  {% endfor %}\n</ul>\n")
    '<ul>\n{% for one in all %}<li>a  b</li>\n{% endfor %}</ul>\n'
    """
    lines = _LAYOUT.sub("\n", text)
    return _CONTROL_LINE.sub(lambda found: found.group(1).rstrip(), lines)

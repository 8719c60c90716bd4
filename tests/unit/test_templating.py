"""What is dropped from a template, and what is not."""

from __future__ import annotations

import pytest

from oipsce_site.templating import tightened


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<p>\n    a\n</p>\n", "<p>\na\n</p>\n"),
        ("<b>a</b>\n\n\n  <b>c</b>", "<b>a</b>\n<b>c</b>"),
        ("a  b", "a  b"),
        (
            "<i>x</i>\n  {% if y %}\n  <i>y</i>\n  {% endif %}\n",
            "<i>x</i>\n{% if y %}<i>y</i>\n{% endif %}",
        ),
        (
            "<ul>\n  {% for a in b %}\n  <li>\n {{ a }}\n </li>\n  {% endfor %}\n</ul>\n<p>",
            "<ul>{% for a in b %}<li>{{ a }}</li>{% endfor %}</ul><p>",
        ),
        ("<div class='{{ x }}'>\n<h2>", "<div class='{{ x }}'><h2>"),
        ("<h2>a</h2>\n<code>", "<h2>a</h2>\n<code>"),
        ("{% load static %}\n{# why #}\n<p>", "{% load static %}{# why #}<p>"),
        ("{% for a in b %}{{ a }}\n{% endfor %}", "{% for a in b %}{{ a }}\n{% endfor %}"),
        ("{% csrf_token %}\n{{ name }}\n", "{% csrf_token %}\n{{ name }}\n"),
        ("{% include 'a' %}\n{% url 'b' %}\n", "{% include 'a' %}\n{% url 'b' %}\n"),
    ],
)
def test_layout_is_dropped_and_spaces_between_words_stay(text: str, kept: str) -> None:
    assert tightened(text) == kept

"""Error pages: each says what happened and where to go, without a request's help."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string


@pytest.mark.parametrize(
    ("template", "heading"),
    [
        ("403.html", "Your roles do not allow this"),
        ("403_csrf.html", "This form is too old to be sent"),
        ("404.html", "There is nothing at this address for you"),
        ("500.html", "The site could not answer this request"),
    ],
)
def test_an_error_page_helps(template: str, heading: str) -> None:
    html = render_to_string(template)
    assert f"<h1>{heading}</h1>" in html
    assert '<a href="/">' in html


def test_a_refusal_shows_its_sentence_as_text() -> None:
    html = render_to_string("403.html", {"exception": "Only <b>people</b> of the site read it."})
    assert "Only &lt;b&gt;people&lt;/b&gt; of the site read it." in html

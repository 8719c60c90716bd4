"""The tags of form fields, written without a template each.

Django renders every widget by two templates of its own; the desk of one row has forty. The plain
ones are written here with the same result, and the rest by Django.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

_WIDGETS = "django/forms/widgets/"
_INPUTS = ("text", "hidden", "number", "password", "date", "checkbox")


class PlainWidgets(DjangoTemplates):
    """Django's own templates, but for the plain fields and for the list of no errors."""

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        """Return the HTML of a field, its errors, or a form."""
        write = _PLAIN.get(template_name)
        if write is not None:
            return write(context["widget"])
        if template_name == _ERRORS and not context["errors"]:
            return SafeString()
        return super().render(template_name, context, request)


def _attributes(widget: Mapping[str, Any]) -> SafeString:
    return _joined(_each_attribute(widget["attrs"]))


def _joined(pieces: Iterable[SafeString]) -> SafeString:
    return SafeString(format_html_join("", "{}", ((one,) for one in pieces)))


def _each_attribute(attrs: Mapping[str, Any]) -> Iterator[SafeString]:
    for name, value in attrs.items():
        if value is True:
            yield format_html(" {}", name)
        elif value is not False:
            yield format_html(' {}="{}"', name, _as_text(value))


def _input(widget: Mapping[str, Any]) -> SafeString:
    value = widget["value"]
    said = "" if value is None else format_html(' value="{}"', _as_text(value))
    tag = '<input type="{}" name="{}"{}{}>'
    return format_html(tag, widget["type"], widget["name"], said, _attributes(widget))


def _textarea(widget: Mapping[str, Any]) -> SafeString:
    tag = '<textarea name="{}"{}>\n{}</textarea>'
    return format_html(tag, widget["name"], _attributes(widget), widget["value"] or "")


def _select(widget: Mapping[str, Any]) -> SafeString:
    groups = _joined(_group(*one) for one in widget["optgroups"])
    tag = '<select name="{}"{}>{}</select>'
    return format_html(tag, widget["name"], _attributes(widget), groups)


def _group(name: str | None, options: list[Mapping[str, Any]], _index: int) -> SafeString:
    inside = _joined(map(_option, options))
    return format_html('<optgroup label="{}">{}</optgroup>', name, inside) if name else inside


def _option(option: Mapping[str, Any]) -> SafeString:
    value, label = _as_text(option["value"]), option["label"]
    return format_html('<option value="{}"{}>{}</option>', value, _attributes(option), label)


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else str(value)


_PLAIN: dict[str, Callable[[Mapping[str, Any]], SafeString]] = {
    **{f"{_WIDGETS}{name}.html": _input for name in _INPUTS},
    f"{_WIDGETS}textarea.html": _textarea,
    f"{_WIDGETS}select.html": _select,
}
_ERRORS = "django/forms/errors/list/ul.html"

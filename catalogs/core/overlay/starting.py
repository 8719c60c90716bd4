"""The text that an overlay begins with: its head, and one addition as a comment to write over."""

from __future__ import annotations

from datetime import date

_EMPTY = """\
# What {site} asks for beside {slug} {major}.x. It may add and tighten, never weaken (E610).
format: oip-catalog/1
extends: {slug}@{major}
catalog: {name}
version: 0.1.0
sites: [{site}]
effective: {{from: {day}}}    # calls of this day and later, at these sites, are judged by it
# add_phases:     phases of the site's own, written as in a catalog
# translate:      anchors and matchers of a further language
tighten: {{}}      # what is asked more of phases of the base, by phase, as under
                 # docs/catalog-format.md, What tightens
tests: []
changelog:
  - {{version: 0.1.0, date: {day}, by: "{author}", change: First draft., bump: major}}
"""


def empty_overlay(slug: str, version: str, site: str, day: date, author: str) -> bytes:
    """Return the text that an overlay of a catalog begins with, for a site by its short name."""
    name = "-".join(part for part in site.lower().replace("_", "-").split("-") if part)
    return _EMPTY.format(
        site=site,
        slug=slug,
        major=version.partition(".")[0],
        name=f"{slug}--{name}",
        day=day.isoformat(),
        author=author.replace("\\", " ").replace('"', "'"),
    ).encode("utf-8")

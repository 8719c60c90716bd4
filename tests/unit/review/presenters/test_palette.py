"""The colours of static/css/app.css, computed: 4.5:1 for each text on each ground under it."""

from __future__ import annotations

import re

import pytest

from oipsce_site.services.layout import CHECKOUT
from review.presenters.hues import HUES

SHEET = (CHECKOUT / "static" / "css" / "app.css").read_text("utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{3,6});", block))
    for block in SHEET.split("@layer reset {")[0].split("prefers-color-scheme: dark")
)
HUE_NAMES = [f"h{number}" for number in range(1, HUES + 1)]
PAIRS = [
    *(("ink", ground) for ground in ("surface", "ground", "accent-tint", "pass-tint", "fail-tint")),
    *(("ink", f"{hue}-tint") for hue in HUE_NAMES),
    *(("muted", ground) for ground in ("surface", "ground", "accent-tint")),
    *(("muted", f"{hue}-tint") for hue in HUE_NAMES),
    *(("accent", ground) for ground in ("surface", "ground", "accent-tint")),
    ("on-accent", "accent"),
    *(
        (tone, ground)
        for tone in ("pass", "fail", "unknown")
        for ground in (f"{tone}-tint", "surface")
    ),
    *((hue, ground) for hue in HUE_NAMES for ground in ("surface", f"{hue}-tint", "accent-tint")),
]


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_can_be_read(theme: dict[str, str]) -> None:
    low = [
        f"{text} on {ground}: {contrast(theme[text], theme[ground]):.2f}"
        for text, ground in PAIRS
        if contrast(theme[text], theme[ground]) < 4.5
    ]
    assert low == []


def test_no_two_hues_are_the_same() -> None:
    for theme in (LIGHT, DARK):
        assert len({theme[hue] for hue in HUE_NAMES}) == HUES

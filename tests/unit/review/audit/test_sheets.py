"""The PDFs of an audit: an archive's PDF, tagged, with every font in it, and no word too many."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import unicodedata
from functools import cache
from random import Random
from typing import Any

import pypdf
import pytest

from oipsce_site.services.layout import CHECKOUT
from review.adapters.press import print_sheet
from review.core.audit.names import Profile
from review.core.export.glyphs import COVERED, printable
from tests.unit.review.audit.spoiling import CALL, files_of
from tests.unit.review.audit.world import audit, shipped_calls, world

SHEETS = tuple(f"calls/{call.call_id}/report.pdf" for call in shipped_calls())
EVERY = (*SHEETS, "report.pdf")
NOTE = "Characters that no embedded font has"
BLANK = {
    "kind": "call",
    "export": "x",
    "made": [2026, 11, 29, 12, 0, 0],
    "digest": "0" * 64,
    "call": "x",
    "facts": [],
    "outcomes": [],
    "summary": "",
    "edges": [],
    "rows": [],
    "evidence": [],
    "inputs": [],
    "decisions": [],
    "signatures": [],
    "statement": "",
    "turns": [],
}


@cache
def opened(name: str, profile: Profile = Profile.FULL) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(files_of(audit(profile))[name]))


def words(reader: pypdf.PdfReader) -> str:
    """Return the text of all pages; blanks and line ends are one."""
    text = " ".join(page.extract_text() for page in reader.pages)
    return re.sub(r"\s+", " ", text.replace("\u200b", ""))


def said(*texts: str) -> str:
    """Print turns, and return what the PDF says."""
    turns = [[str(number), "agent", text] for number, text in enumerate(texts, 1)]
    return words(pypdf.PdfReader(io.BytesIO(print_sheet({**BLANK, "turns": turns}))))


# --- what kind of PDF -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_each_says_it_is_an_archives_pdf_that_everybody_can_read(name: str) -> None:
    data = files_of(audit())[name]
    for mark in (
        *(b"<pdfaid:part>2<", b"<pdfaid:conformance>A<", b"<pdfuaid:part>1<"),
        b"<xmp:CreateDate>2026-11-29T12:00:00Z<",
    ):
        assert mark in data, mark
    assert b"/Encrypt" not in data
    assert b"/JavaScript" not in data


@pytest.mark.parametrize("name", EVERY)
def test_each_is_tagged_and_has_a_language_a_title_and_headings(name: str) -> None:
    root: Any = opened(name).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] is True or root["/MarkInfo"]["/Marked"].value
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    kinds = set(_kinds(root["/StructTreeRoot"]["/K"]))
    assert {"/Document", "/H1", "/P", "/Table", "/TR", "/TH", "/TD"} <= kinds


@pytest.mark.parametrize("name", EVERY)
def test_every_font_is_in_it(name: str) -> None:
    pages: Any = opened(name).pages
    found = [font for page in pages for font in page["/Resources"]["/Font"].values()]
    assert found
    for font in found:
        below = font.get_object()["/DescendantFonts"][0].get_object()
        held = below["/FontDescriptor"].keys() & {"/FontFile2", "/FontFile3"}
        assert held, below["/BaseFont"]
        assert "/ToUnicode" in font.get_object()


def _kinds(node: object) -> list[str]:
    plain = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(plain, list):
        return [kind for one in plain for kind in _kinds(one)]
    if not isinstance(plain, dict):
        return []
    own = [str(plain["/S"])] if "/S" in plain else []
    return own + _kinds(plain.get("/K"))


def test_another_process_prints_the_same_bytes() -> None:
    words = "from tests.unit.review.audit.test_sheets import *; import hashlib\n"
    words += (
        "print(hashlib.sha256(print_sheet({**BLANK, 'turns': [['1', 'agent', 'ja']]})).digest())"
    )
    env = {**os.environ, "PYTHONHASHSEED": "9", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    made = [
        subprocess.run(
            [sys.executable, "-c", words], cwd=CHECKOUT, env=one, capture_output=True, check=True
        ).stdout
        for one in (env, dict(os.environ))
    ]
    assert made[0] == made[1]


# --- what it says ---------------------------------------------------------------------------------


def test_a_sheet_says_verdicts_edges_rows_evidence_signature_and_words() -> None:
    text = words(opened(SHEETS[0]))
    for part in (
        *("Coverage ✓ pass", "OrderSafe ✕ fail", "CallSuccess ✕ fail"),
        "52 < 42 is false",
        *("PID Patient identification", "member ID is", "heard it, =twice"),
        "Signed by Ana Żółć, senior reviewer \u2013 approved \u2013 2026-11-29 08:00:04 (UTC)",
        *("this electronic signature binds me", "Thank you for calling Larkspur"),
    ):
        assert part in text, part


def test_the_sheet_over_all_says_what_was_asked_and_what_came_out() -> None:
    text = words(opened("report.pdf"))
    for part in ("Regulator", "yearly inspection", "included 3", "CallSuccess 1 2 0", CALL):
        assert part in text, part


@pytest.mark.parametrize(
    ("profile", "transcript", "quotes", "reason", "signature"),
    [
        (Profile.FULL, True, True, True, True),
        (Profile.MINIMUM, False, True, False, True),
        (Profile.DEIDENTIFIED, False, False, False, False),
    ],
)
def test_a_sheet_shows_what_its_profile_discloses(
    profile: Profile, transcript: bool, quotes: bool, reason: bool, signature: bool
) -> None:
    shown = [
        words(pypdf.PdfReader(io.BytesIO(data)))
        for name, data in files_of(audit(profile)).items()
        if name.endswith("/report.pdf")
    ]
    for part, is_there in (
        ("Thank you for calling Larkspur", transcript),
        ("member ID is", quotes),
        ("heard it, =twice", reason),
        ("Ana Żółć", signature),
    ):
        assert any(part in text for text in shown) is is_there, part


# --- characters -----------------------------------------------------------------------------------


def covered() -> list[str]:
    ends = [one.partition("-") for one in COVERED.split()]
    return [chr(n) for a, _, b in ends for n in range(int(a, 16), int(b or a, 16) + 1)]


def test_every_character_said_to_be_covered_is_printed() -> None:
    # Without those that are composed to others, and marks, which stand on letters only.
    alone = [one for one in covered() if unicodedata.normalize("NFC", one) == one]
    alone = [one for one in alone if not unicodedata.combining(one)]
    assert len(alone) > 3_000
    for at in range(0, len(alone), 500):
        assert "[U+" not in said(" ".join(alone[at : at + 500]))


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("all well 😀", "all well [U+1F600]"),
        ("山田太郎", "[U+5C71][U+7530][U+592A][U+90CE]"),
        ("Zuzanna Żółć, Ærøskøbing, Ελλάδα, Москва", "Zuzanna Żółć, Ærøskøbing, Ελλάδα, Москва"),
        ("cafe\u0301", "café"),
        ("a\u202eb", "a[U+202E]b"),
        ("\x00\x07", "[U+0000][U+0007]"),
        ("👩\u200d⚕️", "[U+1F469][U+200D]⚕[U+FE0F]"),
    ],
)
def test_a_character_without_a_glyph_is_printed_as_its_number(given: str, shown: str) -> None:
    assert printable(given) == shown
    text = said(given)
    assert shown in text.replace(" ", "") or shown in text
    assert (NOTE in text) is ("[U+" in shown)


def test_no_mixture_of_letters_and_marks_stops_a_sheet() -> None:
    drawn = Random(3)  # noqa: S311 - chooses letters
    named = 0
    for _ in range(12):
        text = said("".join(drawn.choices(covered(), k=3_000)))
        named += NOTE in text
    # typst refuses a mark that no face has on its letter; then every mark is named.
    assert 0 < named < 12


def test_a_turn_of_eleven_thousand_characters_is_printed_whole() -> None:
    long = " ".join(f"word{number}" for number in range(1_400))
    assert len(long) > 11_000
    text = said(long)
    assert [word for word in long.split() if word not in text] == []


def test_a_turn_without_a_blank_stays_on_the_page() -> None:
    unbroken = "x" * 11_000
    assert said(unbroken).count("x") >= 11_000
    assert printable(unbroken).replace("\u200b", "") == unbroken


def test_words_are_never_markup() -> None:
    hostile = '#panic() = *bold* $x$ <a> @b \\ "q" #{1+1} // c https://example.org/#x'
    assert hostile in said(hostile)


def test_a_call_with_an_emoji_a_japanese_name_and_a_long_turn_is_exported() -> None:
    made = world(1)
    assert made.build(made.order(recipient="山田太郎 😀", purpose="y" * 900))

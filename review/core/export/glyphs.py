"""Which characters the fonts of the PDFs can show, and how every other one is printed.

PDF/A forbids a character without a glyph, so it is printed as its number, ``[U+1F600]``, and the
sheet says so. Text is composed first (NFC): most accents are then one character with its letter.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

#: Characters with a glyph in the two faces that come inside typst, Libertinus Serif and DejaVu Sans
#: Mono, upright; read from the fonts' own tables. Characters that are not seen are left out. A test
#: prints every one of them, so another version of typst cannot take one away unnoticed.
COVERED: Final = (
    "20-7e a0-ac ae-34e 350-36f 374-377 37a-37f 384-38a 38c 38e-3a1 3a3-3ce 3d0-3e1 3f0-477 "
    "47c-47f 483 48c-4c4 4c7-4cc 4cf-4f9 510-511 51a-51d 531-556 559-55f 561-587 589-58a 5b0-5c3 "
    "5c6 5d0-5ea 5f0-5f4 606-607 609-60a 60c 615 61b 61f 621-63a 640-655 65a 660-66d 674 679-67b "
    "67e-680 683-684 686-687 691 698 6a4 6a9 6af 6be 6cc 6f0-6f9 e3f e81-e82 e84 e87-e88 e8a e8d "
    "e94-e97 e99-e9f ea1-ea3 ea5 ea7 eaa-eab ead-eb9 ebb-ebc ec8-ecd 10d0-10fc 1d02 1d08-1d09 "
    "1d14-1d17 1d1d-1d1f 1d2c-1d2e 1d30-1d3c 1d3e-1d5f 1d62-1d67 1d77-1d78 1d7b 1d85 1d9b-1db7 "
    "1db9-1dbf 1e00-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d "
    "1f80-1fb4 1fb6-1fc4 1fc6-1fd3 1fd6-1fdb 1fdd-1fef 1ff2-1ff4 1ff6-1ffe 2000-200a 2010-2027 "
    "202f-2037 2039-203f 2042 2044-204b 204f 205f 2070-2071 2074-208e 2090-209c 20a0-20b5 "
    "20b8-20ba 20bd 20bf 2100-2103 2105-2106 2109 210c-210f 2111 2113 2115-2117 2119-211a "
    "211c-211d 2120 2122 2124 2126-2127 212a-212b 212e 2132 2135-2139 2148 214f-2151 2153-2184 "
    "2189 2190-222e 2234-223d 2241-226b 226d-228b 228d-22a6 22b2-22b8 22c2-22c6 22cd-22d1 "
    "22da-22e9 22ee-22ef 2300-2306 2308-2315 2318-2319 231c-2321 2325-232b 2335-237a 237d "
    "2380-2383 2388-238b 2395 239b-23ae 23ce-23cf 23d3 2423 2460-2487 24b6-262f 2638-268b "
    "2690-269c 26a0-26a7 26ac-26b1 2701-2704 2706-2709 270c-2727 2729-274b 274d 274f-2752 2756 "
    "2758-275e 2761-277f 2794 2798-27af 27b1-27be 27c2 27c5-27c6 27dc 27e0 27e6-27eb 27f5-27f7 "
    "2987-2988 2997-2998 29eb 29fa-29fb 2a00 2a2f 2a6a-2a6b 2b05-2b0d 2b12-2b1a 2c60-2c70 "
    "2c74-2c77 2c79-2c7a 2c7c-2c7f 2e02-2e05 2e08-2e0a 2e17-2e18 2e1f 2e22-2e25 2e2e a656-a657 "
    "a708-a716 a71b-a727 a765 a789-a78e a790-a791 a793 a7aa a7f8-a7f9 ab52 fb01-fb02 fb20 "
    "fb29-fb36 fb38-fb3c fb3e fb40-fb41 fb43-fb44 fb46-fb4e fb52-fb81 fb8a-fb95 fb9e-fb9f "
    "fbaa-fbad fbe8-fbe9 fbfc-fbff fe70-fe74 fe76-fefc fffc-fffd 1d106-1d107 1d55a 1d670-1d6a3 "
    "1d7f6-1d7ff 1f12f "
)


def _class(ranges: str) -> str:
    """Write ranges of hexadecimal numbers as the inside of a class of characters."""
    ends = [one.partition("-") for one in ranges.split()]
    return "".join(f"\\U{int(a, 16):08x}-\\U{int(b or a, 16):08x}" for a, _, b in ends)


_UNCOVERED: Final = re.compile(f"[^\n{_class(COVERED)}]")
#: A run that no line may be wide enough for; a digest stays whole, for whoever copies it.
_LONG: Final = re.compile(r"(?<!\S)(?![0-9a-f]{64}(?!\S))\S{40,}")
_PIECE: Final = 30
_MAY_BREAK: Final = "\u200b"


def printable(text: str, *, with_marks: bool = True) -> str:
    """Return text that can be printed; without marks, combining characters are named too.

    >>> printable("caf\u00e9 \u6f22"), printable("a\u0338b", with_marks=False)
    ('caf\u00e9 [U+6F22]', 'a[U+0338]b')
    """
    if text.isascii() and text.isprintable():
        return _broken(text)
    text = unicodedata.normalize("NFC", text.replace("\t", " ").replace("\r\n", "\n"))
    shown = _UNCOVERED.sub(lambda hit: _named(hit.group()), text)
    if not with_marks:
        shown = "".join(_named(one) if unicodedata.combining(one) else one for one in shown)
    return _broken(shown)


def printable_sheet(value: Any, *, with_marks: bool = True) -> Any:
    """Return plain values in which every text can be printed."""
    if isinstance(value, str):
        return printable(value, with_marks=with_marks)
    if isinstance(value, list | tuple):
        return [printable_sheet(one, with_marks=with_marks) for one in value]
    if isinstance(value, dict):
        return {name: printable_sheet(one, with_marks=with_marks) for name, one in value.items()}
    return value


def has_named(value: Any) -> bool:
    """Say whether a character is named by its number in any text of plain values."""
    if isinstance(value, str):
        return "[U+" in value
    if isinstance(value, dict):
        return any(has_named(one) for one in value.values())
    return isinstance(value, list | tuple) and any(has_named(one) for one in value)


def _named(one: str) -> str:
    return f"[U+{ord(one):04X}]"


def _broken(text: str) -> str:
    """Let runs without a blank be broken, so that they stay on the page."""
    return _LONG.sub(lambda hit: _pieces(hit.group()), text)


def _pieces(run: str) -> str:
    return _MAY_BREAK.join(run[at : at + _PIECE] for at in range(0, len(run), _PIECE))

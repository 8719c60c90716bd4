"""The one way to refuse something that is not what it claims to be: a stable code and a sentence.

Codes are listed in docs/audit.md; a code is never given another meaning.
"""

from __future__ import annotations


class Refused(Exception):
    """What was looked at is not accepted. `code` is stable; `text` says what is wrong and where."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


def require(
    holds: bool,  # noqa: FBT001 - the condition, as in assert
    code: str,
    text: str,
) -> None:
    """Raise Refused with this code and sentence unless the condition holds."""
    if not holds:
        raise Refused(code, text)

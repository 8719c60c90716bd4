"""Typed reading of a call's JSON; every refusal names the place and the shape wanted."""

from __future__ import annotations

from collections.abc import Mapping

from review.core.transcript.gathering import CallFindings


def object_field(
    raw: Mapping[str, object], key: str, place: str, found: CallFindings
) -> Mapping[str, object]:
    """Return an object, or an empty one where the key is absent or null; anything else refuses the
    call.
    """
    value = raw.get(key)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        found.refuse("bad_value", _path(place, key), f"{_path(place, key)} must be an object.")
    return value


def list_field(raw: Mapping[str, object], key: str, found: CallFindings) -> list[object]:
    """Return a list, or an empty one for an absent key or null; else refuse the call."""
    value = raw.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        found.refuse("bad_value", key, f"{key} must be a list.")
    return value


def required_text(raw: Mapping[str, object], key: str, place: str, found: CallFindings) -> str:
    """Return a text that must be there and not be empty; anything else refuses the call."""
    value = raw.get(key)
    if not isinstance(value, str) or not value:
        found.refuse(
            "bad_value", _path(place, key), f"{_path(place, key)} is needed and must be a text."
        )
    return value


def optional_text(
    raw: Mapping[str, object], key: str, place: str, found: CallFindings
) -> str | None:
    """Return a text, or None where the key is absent or null; anything else refuses the call."""
    value = raw.get(key)
    if value is not None and not isinstance(value, str):
        found.refuse("bad_value", _path(place, key), f"{_path(place, key)} must be a text or null.")
    return value


def optional_flag(
    raw: Mapping[str, object], key: str, place: str, found: CallFindings
) -> bool | None:
    """Return true, false, or None for an absent key or null; else refuse the call."""
    value = raw.get(key)
    if value is not None and not isinstance(value, bool):
        found.refuse(
            "bad_value", _path(place, key), f"{_path(place, key)} must be true, false or null."
        )
    return value


def report_unknown(
    raw: Mapping[str, object], known: frozenset[str], place: str, found: CallFindings
) -> None:
    """Report every key that the format does not know (``unknown_key``)."""
    if known.issuperset(raw):
        return
    for key in sorted(raw.keys() - known):
        found.warn(
            "unknown_key",
            _path(place, key),
            f"The key {key[:80]!r} is not known here and was not read.",
        )


def _path(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key

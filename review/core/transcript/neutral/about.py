"""What a call says about itself: attributes, speakers, whether it ended, where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from review.core.transcript import (
    Attribute,
    CallFindings,
    ListItem,
    Source,
    Speaker,
)
from review.core.transcript.fields import (
    list_field,
    object_field,
    optional_text,
    report_unknown,
    required_text,
)

NAME = "oip-call/1"

SOURCE_KEYS = frozenset({"format", "vendor", "importer", "sha256", "redacted", "external_ids"})


SPEAKER_KEYS = frozenset({"role", "label"})


PARTICIPANT_KEYS = frozenset({"id", "role", "label", "display", "role_from"})


def read_attributes(raw: Mapping[str, object], found: CallFindings) -> dict[str, Attribute]:
    attributes: dict[str, Attribute] = {}
    for key, value in object_field(raw, "call", "", found).items():
        place = f"call.{key}"
        if key == "date":
            attributes[key] = _date(value, place, found)
        elif isinstance(value, list):
            attributes[key] = tuple(
                _list_item(item, f"{place}[{k}]", found) for k, item in enumerate(value)
            )
        elif isinstance(value, (str, int, Decimal, bool)) or value is None:
            attributes[key] = value
        else:
            text = (
                f"{place} is an object; only single values and lists of id and names are read. It "
                "was left out."
            )
            found.warn("unreadable_attribute", place, text)
    return attributes


def _date(value: object, place: str, found: CallFindings) -> date | None:
    if value is None:
        return None
    try:
        if isinstance(value, str) and len(value) == len("2026-01-31"):
            return date.fromisoformat(value)
    except ValueError:
        pass
    found.warn(
        "bad_date", place, "The date of the call is not written as YYYY-MM-DD; it is left unknown."
    )
    return None


def _list_item(item: object, place: str, found: CallFindings) -> ListItem:
    names = item.get("names", []) if isinstance(item, Mapping) else None
    if (
        not isinstance(item, Mapping)
        or not isinstance(names, list)
        or not all(isinstance(n, str) for n in names)
    ):
        found.refuse(
            "bad_value", place, "An element of a list attribute needs an id and a list of names."
        )
    report_unknown(item, frozenset({"id", "names"}), place, found)
    return ListItem(required_text(item, "id", place, found), tuple(names))


def read_ended(raw: Mapping[str, object], found: CallFindings) -> bool | None:
    if "ended" not in raw:
        found.note(
            "end_assumed",
            "ended",
            "The file does not say whether the call ended; it counts as ended.",
        )
        return True
    value = raw["ended"]
    if value is None or isinstance(value, bool):
        return value
    found.warn("bad_value", "ended", "ended must be true, false or null; it is left unknown.")
    return None


def read_language(raw: Mapping[str, object], found: CallFindings) -> str | None:
    stated = optional_text(raw, "language", "", found)
    if stated is not None:
        return stated
    return optional_text(object_field(raw, "call", "", found), "language", "call", found)


def read_source(
    raw: Mapping[str, object], identity: str, digest: str, found: CallFindings
) -> Source:
    source = object_field(raw, "source", "", found)
    report_unknown(source, SOURCE_KEYS, "source", found)
    external = object_field(source, "external_ids", "source", found)
    return Source(
        format=optional_text(source, "format", "source", found) or NAME,
        external_id=optional_text(external, "call_id", "source.external_ids", found) or identity,
        sha256=digest,
    )


def read_speakers(raw: Mapping[str, object], found: CallFindings) -> dict[str, Speaker]:
    speakers: dict[str, Speaker] = {}
    for key, value in object_field(raw, "speakers", "", found).items():
        place = f"speakers.{key}"
        if not isinstance(value, Mapping):
            found.refuse("bad_value", place, "A speaker must be an object with role and label.")
        report_unknown(value, SPEAKER_KEYS, place, found)
        label = optional_text(value, "label", place, found)
        speakers[key] = Speaker(key, optional_text(value, "role", place, found), label or key)
    for k, value in enumerate(list_field(raw, "participants", found)):
        place = f"participants[{k}]"
        if not isinstance(value, Mapping):
            found.refuse("bad_value", place, "A participant must be an object with id and role.")
        report_unknown(value, PARTICIPANT_KEYS, place, found)
        key = required_text(value, "id", place, found)
        label = optional_text(value, "display", place, found) or optional_text(
            value, "label", place, found
        )
        speakers.setdefault(
            key, Speaker(key, optional_text(value, "role", place, found), label or key)
        )
    for speaker in speakers.values():
        if speaker.role is None:
            text = f"Nobody has said which role the speaker {speaker.key!r} has. Choose one."
            found.warn("role_unknown", f"speaker {speaker.key}", text)
    return speakers

"""An overlay as a value, and reading one from bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from catalogs.core.canonical import content_digest
from catalogs.core.document import LOAD_FATAL
from catalogs.core.document.checking import is_overlay
from catalogs.core.document.complaint import Complaint
from catalogs.core.document.loading import findings_of, read_checked
from catalogs.core.document.plain import text_of, texts_of
from catalogs.core.document.reading import Source
from catalogs.core.findings import Finding


@dataclass(frozen=True, slots=True)
class Overlay:
    """A checked overlay: plain values with their lines, by index (``tighten.CSV.accept[0]``).

    `base_slug` and `base_major` are what `extends` names.
    """

    slug: str
    version: str
    base_slug: str
    base_major: int
    sites: tuple[str, ...]
    digest: str
    data: Mapping[str, object] = field(repr=False)
    source: Source = field(repr=False)

    def found(self, complaints: list[Complaint]) -> tuple[Finding, ...]:
        """Return complaints about places of the overlay as findings with its lines."""
        return findings_of(complaints, self.source)


def load_overlay(data: bytes) -> tuple[Overlay | None, tuple[Finding, ...]]:
    """Read an overlay. None exactly when a finding leaves it without meaning. Never raises."""
    source, complaints = read_checked(data)
    if isinstance(source.value, dict) and not is_overlay(source.value):
        said = "an overlay names its base (extends) and lists no phases; this is a whole catalog"
        complaints.append(Complaint("E616", "extends", said))
    found = findings_of(complaints, source)
    if not isinstance(source.value, dict) or any(one.code in LOAD_FATAL for one in found):
        return None, found
    slug, _, major = text_of(source.value, "extends").partition("@")
    overlay = Overlay(
        slug=text_of(source.value, "catalog"),
        version=str(source.value["version"]),
        base_slug=slug,
        base_major=int(major),
        sites=texts_of(source.value, "sites"),
        digest=content_digest(source.value),
        data=source.value,
        source=source,
    )
    return overlay, found

"""What publishing asks of a version that was merged from an overlay, beside the other gates."""

from __future__ import annotations

from datetime import date

from catalogs.actions.sentences import in_sentences
from catalogs.actions.version_rows import UnableToMove, overlap
from catalogs.core.document import Document
from catalogs.core.document.origin import Origin, origin_of
from catalogs.core.findings import Severity
from catalogs.core.overlay import load_catalog
from catalogs.models import CatalogVersion
from catalogs.queries import document_of
from catalogs.queries.overlays import base_of, deciding_version, overlays_of_base
from oipsce_site.people.models import Site


def check_merging(version: CatalogVersion, today: date) -> None:
    """Raise UnableToMove for an overlay that weakens its base (E610) without a waiver that stands
    today, and for a text that is not the merger of the two.
    """
    loaded = load_catalog(_overlay(version), lambda _: _base(version), today=today)
    errors = [one for one in loaded.findings if one.severity is Severity.ERROR]
    if errors:
        raise UnableToMove(f"The overlay: {in_sentences(errors)}")
    if loaded.document is None or loaded.document.digest != version.digest:
        raise UnableToMove(
            "The version is not what its overlay and its base give today. Take it back and hand it "
            "in again."
        )


def check_base(version: CatalogVersion) -> None:
    """Raise UnableToMove where another version of the base decides by now: the author is to look
    at the overlay over that one. Afterwards the pinned base stays, whatever follows it.
    """
    loaded = load_catalog(_overlay(version), lambda _: _base(version))
    now = None if loaded.overlay is None else base_of(loaded.overlay)
    if now is None:
        raise UnableToMove(
            "No published version of the base is in force on the overlay's first day. Change the "
            "day, or publish the base first."
        )
    if now.pk != version.base_id:
        raise UnableToMove(
            f"The base has a newer version by now, {now.version}. Take the overlay back and hand "
            "it in again: it is then laid over that one."
        )


def check_sites(version: CatalogVersion) -> None:
    """Raise UnableToMove for a site that is not there or retired, and where another overlay of the
    base is in force there on one of the days.
    """
    origin = _origin(version)
    known = set(Site.objects.filter(slug__in=origin.sites, retired_at=None).values_list("slug"))
    missing = [slug for slug in origin.sites if (slug,) not in known]
    if missing:
        raise UnableToMove(
            f"There is no site {', '.join(missing)}. Correct sites: they are named by their short "
            "names."
        )
    base = version.base
    if base is None:
        return
    for other in overlays_of_base(base.catalog_id).exclude(catalog_id=version.catalog_id):
        shared = sorted(set(_origin(other).sites) & set(origin.sites))
        if shared and overlap(other, version):
            raise UnableToMove(
                f"{other.catalog.slug} {other.version} is in force at {', '.join(shared)} on some "
                "of these days; a site has one overlay of a catalog. Change days or sites."
            )


def check_over_base(version: CatalogVersion, on: date, today: date) -> None:
    """Check once more what publishing asked of an overlay on trial that is to judge calls of a day
    on; nothing of any other version. Base, sites and waivers may have changed since. Raises
    UnableToMove.
    """
    if version.overlay is None:
        return
    check_merging(version, today)
    check_sites(version)
    loaded = load_catalog(_overlay(version), lambda _: _base(version))
    if loaded.overlay is None:
        return
    day = max(on, today)
    now = deciding_version(loaded.overlay.base_slug, loaded.overlay.base_major, day)
    if now is None or now.pk != version.base_id:
        other = "no version of its major" if now is None else f"version {now.version}"
        raise UnableToMove(
            f"On {day.isoformat()} {other} of the base {loaded.overlay.base_slug} decides, and "
            "this overlay was laid over another. End the trial and hand the overlay in again under "
            "a new number: it is then laid over the one that decides."
        )


def _overlay(version: CatalogVersion) -> bytes:
    return b"" if version.overlay is None else bytes(version.overlay)


def _base(version: CatalogVersion) -> Document | None:
    return None if version.base is None else document_of(version.base.digest)


def _origin(version: CatalogVersion) -> Origin:
    origin = origin_of(document_of(version.digest))
    if origin is None:
        raise ValueError(f"version {version.pk} was merged from no overlay")
    return origin

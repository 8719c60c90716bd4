"""The adjudicator of one site, as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from oipsce_site.administration.presenters.wording import show_time
from oipsce_site.people.models import Adjudicator, Site, User


@dataclass(frozen=True, slots=True)
class AdjudicatorPage:
    """What is set for a site. `is_own`: who reads has set it, so another one turns it on."""

    site_id: UUID
    site: str
    revision: int
    standing: str
    is_set: bool
    is_on: bool
    is_own: bool
    agreement: str
    hosts: str


def show_adjudicator(
    site: Site, setting: Adjudicator | None, *, reader: User, hosts: list[str]
) -> AdjudicatorPage:
    """Draw the page; `hosts` are those that the operator allows."""
    return AdjudicatorPage(
        site_id=site.pk,
        site=site.name,
        revision=setting.revision if setting else 0,
        standing=_standing(setting),
        is_set=setting is not None,
        is_on=setting is not None and setting.on_at is not None,
        is_own=setting is not None and setting.set_by_id == reader.pk,
        agreement=setting.agreement if setting else "",
        hosts=", ".join(hosts),
    )


def _standing(setting: Adjudicator | None) -> str:
    if setting is None:
        return "off: nobody has set anything"
    was_set = f"set by {setting.set_by.printed_name} at {show_time(setting.set_at)}"
    if setting.on_by is None:
        return f"off · {was_set}"
    return f"on since {show_time(setting.on_at)}, by {setting.on_by.printed_name} · {was_set}"

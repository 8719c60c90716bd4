"""The forms of the mapping page together, of a call, what is stored of it, and what was typed."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import QueryDict

from catalogs.queries import Published, published_versions
from review.core.transcript import Call, Voice, doubts_of, propose_roles, settle, voices_of
from review.forms.call_settings import SettingsForm
from review.forms.mapping import ReasonForm, RolesForm, SwapForm, field_of
from review.queries.draws import draw_of
from review.queries.mapping import MappingCall
from review.queries.role_maps import confirmed_roles


@dataclass(slots=True)
class Desk:
    """A call on its page and the forms that ask about it. `typed` is what came with the page."""

    stored: MappingCall
    call: Call
    voices: tuple[Voice, ...]
    settings: SettingsForm
    roles: RolesForm
    swap: SwapForm
    withdrawal: ReasonForm = field(default_factory=lambda: reason_form("withdraw"))
    return_form: ReasonForm = field(default_factory=lambda: reason_form("back"))
    refusal: str = ""

    def refuse(self, place: str, sentence: str) -> None:
        """Put a refusal at the field that it is about, else on the page."""
        kind, _, name = place.partition(":")
        at = {"role": field_of(name), "accept": f"accept_{name}"}.get(kind, "")
        if at in self.roles.fields:
            self.roles.add_error(at, sentence)
        elif kind == "date":
            self.settings.add_error("date", sentence)
        elif kind == "catalog":
            several = "version" in self.settings.fields
            self.settings.add_error("version" if several else "attr_type", sentence)
        elif kind == "swap":
            self.swap.add_error(None, sentence)
        else:
            self.refusal = sentence


def lay_out(
    call: Call,
    stored: MappingCall,
    *,
    typed: QueryDict | None = None,
    swap: QueryDict | None = None,
    only_shown: bool = False,
) -> Desk:
    """Make the forms. The roles that are offered are those of the catalog that the answers choose.

    What was typed has been checked, unless it is `only_shown`: then roles that a newly chosen
    catalog offers are proposed, and nothing is missing yet.
    """
    published = published_versions()
    settings = _settings(call, stored, typed, published)
    settled = settle(call, settings.settings()) if typed is not None else call
    preferred = settings.version_id() if typed is not None else stored.version_id
    draw, site = draw_of(stored.id), stored.site.slug
    choice = published.choose(settled.attributes, settled.date, preferred, site=site, draw=draw)
    declared = choice.document.speakers if choice.document else {}
    version_id = choice.version.pk if choice.version else None
    known = confirmed_roles(stored.site.id, stored.source, version_id) if version_id else {}
    voices = voices_of(call)
    proposed = propose_roles(call, declared, known)
    doubts = doubts_of(call)
    if only_shown:
        roles = RolesForm(None, voices, doubts, proposed, declared, typed)
    else:
        roles = RolesForm(typed, voices, doubts, proposed, declared)
        roles.is_valid()
    return Desk(
        stored, call, voices, settings, roles, SwapForm(swap, call, voices, stored.revision)
    )


def reason_form(name: str, typed: QueryDict | None = None) -> ReasonForm:
    """Make the form of a reason; `name` tells two on one page apart."""
    return ReasonForm(typed, auto_id=f"{name}_%s")


def expecting(typed: QueryDict, stored: MappingCall) -> QueryDict:
    """Return what was typed, now said of the transcript that is stored."""
    again = typed.copy()
    again["expected"] = str(stored.revision)
    return again


def _settings(
    call: Call, stored: MappingCall, typed: QueryDict | None, published: Published
) -> SettingsForm:
    """Make the form of the settings: which versions it offers depends on what was typed."""
    choosing = published.choosing(call.attributes, call.date, site=stored.site.slug)
    form = SettingsForm(typed, call, stored.revision, choosing)
    if typed is None:
        return form
    form.is_valid()
    settled = settle(call, form.settings())
    choosing = published.choosing(settled.attributes, settled.date, site=stored.site.slug)
    form = SettingsForm(typed, call, stored.revision, choosing)
    form.is_valid()
    return form

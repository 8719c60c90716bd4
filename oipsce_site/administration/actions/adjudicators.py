"""A site's adjudicator: set by one administrator, turned on by a second one, off by any at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from oipsce_site.administration.actions.acting import (
    Acting,
    ChangedMeanwhile,
    NotThere,
    UnableToAdminister,
)
from oipsce_site.outbound import RefusedAddress, check_address
from oipsce_site.people.adjudicators import allowed_endpoints
from oipsce_site.people.models import Adjudicator, Site, User


def set_adjudicator(
    *,
    adjudicator_id: UUID,
    site_id: UUID,
    expected_revision: int,
    wish: Mapping[str, Any],
    by: User,
    at: datetime,
) -> None:
    """Store which models are asked and under which caps; it is off then, until another
    administrator turns it on. `wish` has the fields of the model; 0 is expected of what is new.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister for an address that may not
    be connected to.
    """
    try:
        check_address(wish["url"], allowed_endpoints())
    except RefusedAddress as refusal:
        raise UnableToAdminister(str(refusal), field="url") from None
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        site = Site.objects.select_for_update().filter(pk=site_id).first()
        if site is None:
            raise NotThere
        setting = _load(site_id, expected_revision) or Adjudicator(
            id=adjudicator_id, site=site, revision=0
        )
        for name, value in wish.items():
            setattr(setting, name, value)
        setting.set_by, setting.set_at = by, at
        setting.on_by = setting.on_at = None
        setting.revision += 1
        setting.save()
        acting.record("adjudicator.set", _facts(setting) | {"settings_sha256": _digest(wish)})


def turn_adjudicator_on(*, site_id: UUID, expected_revision: int, by: User, at: datetime) -> None:
    """Have models asked from now on, about calls that are filled from now on.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister for who set it themselves,
    and for an address that the operator does not allow any more.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        setting = _load(site_id, expected_revision)
        if setting is None:
            raise NotThere
        if setting.set_by_id == by.pk:
            raise UnableToAdminister(
                "You set this yourself: another administrator turns it on, having seen the "
                "agreement."
            )
        try:
            check_address(setting.url, allowed_endpoints())
        except RefusedAddress as refusal:
            raise UnableToAdminister(str(refusal)) from None
        _switch(setting, by, at)
        acting.record("adjudicator.on", _facts(setting))


def turn_adjudicator_off(*, site_id: UUID, by: User, at: datetime) -> None:
    """Send nothing more from now on, whatever revision is shown. Raises NotAllowed, NotThere."""
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        setting = Adjudicator.objects.select_for_update().filter(site_id=site_id).first()
        if setting is None:
            raise NotThere
        _switch(setting, None, None)
        acting.record("adjudicator.off", _facts(setting))


def _load(site_id: UUID, expected_revision: int) -> Adjudicator | None:
    found = Adjudicator.objects.select_for_update().filter(site_id=site_id).first()
    if (found.revision if found else 0) != expected_revision:
        raise ChangedMeanwhile
    return found


def _switch(setting: Adjudicator, by: User | None, at: datetime | None) -> None:
    setting.on_by, setting.on_at = by, at
    setting.revision += 1
    setting.save(update_fields=["on_by", "on_at", "revision"])


def _facts(setting: Adjudicator) -> dict[str, Any]:
    return {
        "site_id": str(setting.site_id),
        "host": setting.host,
        "model": setting.model,
        "second_model": setting.second_model,
        "revision": setting.revision,
    }


def _digest(wish: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(dict(wish), sort_keys=True).encode()).hexdigest()

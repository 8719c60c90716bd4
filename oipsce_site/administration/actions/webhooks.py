"""Where alerts of a site are sent: an address that the operator allows, and a secret shown once."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction

from oipsce_site.administration.actions.acting import Acting, NotThere, UnableToAdminister
from oipsce_site.administration.passwords import new_webhook_secret
from oipsce_site.outbound import Allowed, RefusedAddress, check_address
from oipsce_site.people.matrix import Act
from oipsce_site.people.models import Site, User, WebhookEndpoint
from oipsce_site.sealing import CallSealer, new_data_key

SECRET_SLOT = "secret:0"  # noqa: S105 - where it lies, not what it is


def add_webhook(*, endpoint_id: UUID, site_id: UUID, url: str, by: User, at: datetime) -> str:
    """Have a site's alerts sent to an address; return the secret that they are signed with.

    Raises NotAllowed, or UnableToAdminister for an address that may not be connected to or is there
    already, and for a site that is retired or not there.
    """
    try:
        parts = check_address(url, Allowed(settings.WEBHOOK_HOSTS, settings.WEBHOOK_PRIVATE))
    except RefusedAddress as refusal:
        raise UnableToAdminister(str(refusal), field="url") from None
    with transaction.atomic():
        acting = Acting.administrator(by, at, Act.MANAGE_CLIENTS)
        site = Site.objects.filter(pk=site_id, retired_at__isnull=True).first()
        if site is None:
            raise UnableToAdminister("Choose a site that is open.", field="site")
        secret = new_webhook_secret()
        _store(endpoint_id, site, url, secret, acting)
        facts = {"webhook_id": str(endpoint_id), "site_id": str(site.pk), "host": parts.hostname}
        acting.record("webhook.add", facts)
    return secret


def remove_webhook(*, endpoint_id: UUID, by: User, at: datetime) -> None:
    """Send nothing more to an address. Raises NotAllowed, NotThere."""
    with transaction.atomic():
        acting = Acting.administrator(by, at, Act.MANAGE_CLIENTS)
        standing = WebhookEndpoint.objects.filter(pk=endpoint_id, removed_at__isnull=True)
        if not standing.update(removed_at=at, removed_by=by):
            raise NotThere
        acting.record("webhook.remove", {"webhook_id": str(endpoint_id)})


def _store(endpoint_id: UUID, site: Site, url: str, secret: str, acting: Acting) -> None:
    wrapped = new_data_key()
    sealed = CallSealer(site.pk, endpoint_id, wrapped).seal(SECRET_SLOT, secret)
    endpoint = WebhookEndpoint(
        id=endpoint_id,
        site=site,
        url=url,
        wrapped_key=wrapped,
        sealed_secret=sealed,
        made_at=acting.at,
        made_by=acting.by,
    )
    try:
        with transaction.atomic():
            endpoint.save(force_insert=True)
    except IntegrityError:
        raise UnableToAdminister(
            "Alerts of this site are sent to this address already.", field="url"
        ) from None

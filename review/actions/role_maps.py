"""Role maps that people confirmed: remembered with a mapping, forgotten on their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction

from catalogs.core.canonical import digest
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from review.core.transcript import Call as CallValue
from review.core.transcript import propose_roles
from review.models import Call, RoleMap
from review.permissions import check_can_map
from review.queries import readable_sites


class UnableToForget(Exception):
    """There is no such map for this person; the sentence says no more than that."""


def remember_roles(
    stored: Call, call: CallValue, roles: Mapping[str, str], writer: User | None, at: datetime
) -> None:
    """Keep, for the next call of this site, source and catalog, which roles its voices have.

    `call` is the call before its roles were set: it knows the source's own words. A word that two
    voices share with different roles is not kept. The caller's entry in the log tells of it.
    """
    version = stored.catalog_version
    if version is None:
        return
    words = {one.key: one.word for one in propose_roles(call, ()) if one.word}
    pairs = {(words[key], role) for key, role in roles.items() if key in words}
    shared = Counter(word for word, _ in pairs)
    kept = {word: role for word, role in pairs if shared[word] == 1}
    # The id is named by the key, so that two who are first at once insert the same row.
    name = uuid5(stored.site_id, f"{stored.source}\n{version.catalog_id}")
    RoleMap.objects.bulk_create(
        [
            RoleMap(
                id=name,
                site=stored.site,
                source=stored.source,
                catalog_id=version.catalog_id,
                roles={},
                confirmed_by=writer,
                confirmed_at=at,
            )
        ],
        ignore_conflicts=True,
    )
    known = RoleMap.objects.select_for_update().get(pk=name)
    known.roles = {**known.roles, **kept}
    known.confirmed_by = writer
    known.confirmed_at = at
    known.save(update_fields=["roles", "confirmed_by", "confirmed_at"])


def forget_role_map(*, map_id: UUID, by: User, at: datetime) -> None:
    """Forget a map: the next call of its source and catalog asks a person again.

    Raises UnableToForget for one that is not there or not theirs, NotAllowed.
    """
    with transaction.atomic():
        found = (
            RoleMap.objects.select_for_update(of=("self",))
            .select_related("site", "catalog")
            .filter(pk=map_id, site__in=readable_sites(by))
            .first()
        )
        if found is None:
            raise UnableToForget("There is no such role map.")
        role = check_can_map(by, found.site)
        found.delete()
        record(
            chain_id=found.site_id,
            about=About.SITE,
            kind="rolemap.forget",
            by=person(by, role),
            at=at,
            facts={
                "map_id": str(map_id),
                "catalog_id": str(found.catalog_id),
                "roles_digest": digest(found.roles),
            },
        )

"""The order of an export: the checkpoint it stands on, its calls, its catalogs, its time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import transaction

from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.core.heads import prove_heads
from oipsce_site.ledger.core.merkle import Tree
from oipsce_site.ledger.core.sealed import Seal, maps_of, origin_of
from oipsce_site.ledger.queries import leaves_of, seals_of
from oipsce_site.signing.store import KeyStore
from review.actions.audit_files import NotErased, catalog_files, erased_ends
from review.core.audit.names import MOST_CALLS, Profile, Why
from review.core.evaluation import ENGINE_VERSION
from review.core.export.order import Order, Scope, Sealed, UniverseLine
from review.models import AuditExport, ExportState, SignOff
from review.queries.exports import universe_of

#: From how many earlier checkpoints an audit shows that the log grew.
MOST_PROOFS = 200


class UnableToExport(Exception):
    """The export cannot be asked for, built or fetched as it stands; the sentence says why."""


@dataclass(frozen=True, slots=True)
class StartedExport:
    """What a worker holds: the export, its attempt, the order, and each call's last entry."""

    export_id: UUID
    attempt: int
    order: Order
    last: dict[str, int]


def begin_building(
    *, export_id: UUID, seal: Seal, store: KeyStore, verifier: bytes, at: datetime
) -> StartedExport:
    """Fix what the file is built from: the checkpoint, the calls, the time.

    Raises UnableToExport for a site that the checkpoint does not have, or too many calls.
    """
    with transaction.atomic():
        export = (
            AuditExport.objects.select_for_update(of=("self",))
            .select_related("site", "requested_by", "approved_by")
            .get(pk=export_id, state=ExportState.RUNNING)
        )
        sealed = _sealed(export.site_id, seal, store)
        universe = universe_of(export, sealed.heads)
        chosen = [UUID(one.call_id) for one in universe if one.why is Why.INCLUDED]
        if len(chosen) > MOST_CALLS:
            raise UnableToExport(f"Over {MOST_CALLS:,} calls; choose a shorter period.")
        export.built_at = at
        export.epoch, export.size = seal.epoch, seal.size
        export.universe = {one.call_id: one.why.value for one in universe}
        export.calls = len(chosen)
        export.pieces.all().delete()
        export.save(
            update_fields=["built_at", "epoch", "size", "universe", "calls"],
        )
    order = _order(export, sealed, universe, store, verifier)
    digests = SignOff.objects.filter(call__in=chosen, void_at=None)
    catalogs = catalog_files(digests.values_list("evaluation__catalog_digest", flat=True))
    last = {str(head.chain_id): head.seq for head in sealed.heads}
    whole = replace(order, catalogs=catalogs, erased=_erased(universe, last))
    return StartedExport(export.pk, export.attempts, whole, last)


def _erased(
    universe: tuple[UniverseLine, ...], last: Mapping[str, int]
) -> dict[str, tuple[Entry, ...]]:
    gone = [one.call_id for one in universe if one.why is Why.ERASED]
    try:
        return erased_ends({UUID(one): last[one] for one in gone})
    except NotErased as refusal:
        # It was erased after the log was sealed for this audit: the next attempt seals again.
        raise UnableToExport(str(refusal)) from None


def _sealed(site_id: UUID, seal: Seal, store: KeyStore) -> Sealed:
    leaves = leaves_of(seal.epoch, seal.size)
    maps = maps_of(leaves)
    if site_id not in maps:
        raise UnableToExport("The site has no entry in the decision log yet.")
    tree = Tree([leaf.leaf_hash for leaf in leaves])
    path = tree.inclusion(seal.size - 1, seal.size)
    earlier = [one.size for one in seals_of(seal.epoch) if one.size < seal.size]
    return Sealed(
        note=seal.note,
        log=origin_of(store.keyring().log, seal.epoch),
        heads=tuple(maps[site_id]),
        proof=prove_heads(maps, site_id, seal.sealed_at_us, path),
        consistency={size: tuple(tree.consistency(size, seal.size)) for size in _spread(earlier)},
    )


def _spread(sizes: list[int]) -> list[int]:
    """Return at most `MOST_PROOFS` of the sizes: those of exports are asked for, the rest evenly.

    A witness asks for its own proof (`export_checkpoint`), so nothing is lost that is not named.
    """
    if len(sizes) <= MOST_PROOFS:
        return sizes
    named = AuditExport.objects.filter(size__in=sizes).values_list("size", flat=True)
    asked = {size for size in named if size is not None}
    step = len(sizes) // MOST_PROOFS + 1
    return sorted(asked | set(sizes[::step]))


def _order(
    export: AuditExport,
    sealed: Sealed,
    universe: tuple[UniverseLine, ...],
    store: KeyStore,
    verifier: bytes,
) -> Order:
    scope = Scope(
        first_date=None if export.first_date is None else export.first_date.isoformat(),
        last_date=None if export.last_date is None else export.last_date.isoformat(),
        catalog=export.catalog or None,
        verdict=export.verdict.lower() or None,
    )
    if export.built_at is None:
        raise UnableToExport("The export was not begun.")
    return Order(
        export_id=str(export.pk),
        site_id=str(export.site_id),
        site_name=export.site.name,
        profile=Profile[export.profile],
        scope=scope,
        recipient=export.recipient,
        purpose=export.purpose,
        created_at=export.built_at,
        created_by=export.requested_by.printed_name,
        created_by_role=export.role,
        approved_by=None if export.approved_by is None else export.approved_by.printed_name,
        engine=ENGINE_VERSION,
        build=settings.APP_BUILD,
        secret=bytes(export.secret),
        keyring=store.keyring_bytes(),
        sealed=sealed,
        universe=universe,
        catalogs=(),
        verifier=verifier,
        roster=store.roster_bytes(str(export.site_id)),
    )

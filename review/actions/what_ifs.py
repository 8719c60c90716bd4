"""What-ifs as people order them: asked for over the calls of a site, and called off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.db import transaction
from django.utils.timezone import localdate

from catalogs.core.document import load_document
from catalogs.models import CatalogVersion, Draft, DraftText
from catalogs.queries.overlays import whole_text
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Site, User
from review.core.evaluation import ENGINE_VERSION
from review.models import OPEN_WHAT_IFS, WhatIf, WhatIfKind, WhatIfPortion, WhatIfState
from review.permissions import check_can_ask_what_if
from review.queries.what_if_calls import Range, calls_in

#: Calls of one what-if; a longer range is asked in parts.
MOST_CALLS = 100_000
# So many are some seconds of a worker, and lost with it if it is killed.
_PORTION = {WhatIfKind.DECIDE: 1_000, WhatIfKind.READ: 50}


class UnableToAsk(Exception):
    """The what-if cannot be asked for or called off; the sentence says why, `field` where."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class WhatIfWish:
    """What is asked: the text that stands of a draft, or a version; and over which calls.

    `kind` is a value of `WhatIfKind`; `catalog` is the slug of what judged the calls.
    """

    kind: str
    site: Site
    catalog: str
    first: date | None
    last: date | None
    draft_id: UUID | None = None
    version_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class _Text:
    source: bytes
    chain_id: UUID
    number: int = 0


def order_what_if(*, what_if_id: UUID, wish: WhatIfWish, by: User, at: datetime) -> int:
    """Ask what a text would change, and return over how many calls.

    The calls are fixed now. Raises NotAllowed, or UnableToAsk: for a text that is not there or
    cannot be read, a range without calls or with too many, and while another one goes on.
    """
    role = check_can_ask_what_if(by, wish.site)
    with transaction.atomic():
        text = _text_of(wish, localdate(at))
        document, _ = load_document(text.source)
        if document is None:
            raise UnableToAsk(
                "The text cannot be read as a catalog at this moment; mend it on the page Text."
            )
        _check_one_at_a_time(by)
        calls = _calls_of(wish)
        stored = WhatIf.objects.create(
            id=what_if_id,
            site=wish.site,
            kind=wish.kind,
            state=WhatIfState.WAITING,
            draft_id=wish.draft_id,
            number=text.number,
            version_id=wish.version_id,
            source=text.source,
            title=f"{document.slug} {document.version}",
            document_digest=document.digest,
            catalog=wish.catalog,
            first_date=wish.first,
            last_date=wish.last,
            engine=ENGINE_VERSION,
            calls=len(calls),
            asked_by=by,
            role=role,
            asked_at=at,
        )
        _store_portions(stored, calls)
        facts = _facts_of(wish, document.digest, len(calls))
        record_what_if(stored, text.chain_id, "whatif.order", person(by, role), at, facts)
    return len(calls)


def _store_portions(stored: WhatIf, calls: Sequence[UUID]) -> None:
    size = _PORTION[WhatIfKind(stored.kind)]
    WhatIfPortion.objects.bulk_create(
        WhatIfPortion(what_if=stored, position=position, calls=calls[first : first + size])
        for position, first in enumerate(range(0, len(calls), size))
    )


def _facts_of(wish: WhatIfWish, digest: str, calls: int) -> dict[str, Value]:
    return {
        "site_id": str(wish.site.pk),
        "what": wish.kind.lower(),
        "digest": digest,
        "catalog": wish.catalog,
        "first": wish.first.isoformat() if wish.first else "",
        "last": wish.last.isoformat() if wish.last else "",
        "calls": calls,
    }


def call_off_what_if(*, what_if_id: UUID, by: User, at: datetime) -> None:
    """Stop a what-if; what workers have in hand is thrown away.

    Raises NotAllowed, or UnableToAsk for one that is over or not there.
    """
    with transaction.atomic():
        stored = (
            WhatIf.objects.select_for_update(of=("self",))
            .select_related("site")
            .filter(pk=what_if_id)
            .first()
        )
        if stored is None:
            raise UnableToAsk("There is no such what-if.")
        role = check_can_ask_what_if(by, stored.site)
        if stored.state not in OPEN_WHAT_IFS:
            raise UnableToAsk(f"It is {WhatIfState(stored.state).label} already.")
        stored.state, stored.ended_at, stored.ended_by = WhatIfState.CANCELLED, at, by
        stored.save(update_fields=["state", "ended_at", "ended_by"])
        facts: dict[str, Value] = {"done": stored.done}
        record_what_if(stored, chain_of(stored), "whatif.cancel", person(by, role), at, facts)


def chain_of(stored: WhatIf) -> UUID:
    """Return the chain of the decision log that a what-if is told in: its draft's or catalog's."""
    version = stored.version
    chain_id = stored.draft_id if version is None else version.catalog_id
    if chain_id is None:
        raise ValueError("a what-if is of a draft or of a version")
    return chain_id


def record_what_if(
    stored: WhatIf,
    chain_id: UUID,
    kind: str,
    actor: Actor,
    at: datetime,
    facts: dict[str, Value],
) -> None:
    """Leave the entry of an act on a what-if."""
    record(
        chain_id=chain_id,
        about=About.CATALOG,
        kind=kind,
        by=actor,
        at=at,
        facts={"what_if_id": str(stored.id), **facts},
    )


def _text_of(wish: WhatIfWish, today: date) -> _Text:
    if wish.draft_id is not None:
        draft = Draft.objects.filter(pk=wish.draft_id).first()
        if draft is None:
            raise UnableToAsk("There is no such draft.")
        text = DraftText.objects.get(draft=draft, number=draft.current)
        return _Text(whole_text(bytes(text.source), today), draft.pk, draft.current)
    version = CatalogVersion.objects.filter(pk__in=[wish.version_id]).first()
    if version is None:
        raise UnableToAsk("There is no such version.")
    return _Text(bytes(version.source), version.catalog_id)


def _check_one_at_a_time(by: User) -> None:
    # Two that come at once wait for each other here.
    User.objects.select_for_update().get(pk=by.pk)
    if WhatIf.objects.filter(asked_by=by, state__in=OPEN_WHAT_IFS).exists():
        raise UnableToAsk("Another what-if of yours goes on; wait for its end or call it off.")


def _calls_of(wish: WhatIfWish) -> list[UUID]:
    if wish.first and wish.last and wish.last < wish.first:
        raise UnableToAsk("The last day lies before the first.", "last")
    wanted = Range(wish.site.pk, wish.catalog, wish.first, wish.last)
    calls = calls_in(wanted, most=MOST_CALLS + 1)
    if not calls:
        raise UnableToAsk(
            f"No call at {wish.site.name} was judged by {wish.catalog} on these days. Choose other "
            "days, another site or another catalog.",
            "first",
        )
    if len(calls) > MOST_CALLS:
        raise UnableToAsk(
            f"There are more than {MOST_CALLS:,} calls on these days; choose fewer days.", "first"
        )
    return calls

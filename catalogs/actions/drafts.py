"""Writing a draft: every text is kept, and of two authors at once neither loses a word."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from catalogs.actions.version_rows import UnableToMove
from catalogs.actions.versions import UnableToDraft, create_draft, revise_version, submit_version
from catalogs.core.document.reading import MAX_BYTES
from catalogs.models import CatalogVersion, Draft, DraftText, VersionState
from catalogs.permissions import check_can_author
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User

_LONGEST_TITLE = 300
#: Room for what was pasted by mistake, which is stored all the same: lint says that it is too long.
MOST_BYTES = 2 * MAX_BYTES


class NoSuchDraft(Exception):
    """There is no draft of this id."""


class WrittenMeanwhile(Exception):
    """Somebody else has stored a text; what came now is kept aside under `aside`."""

    def __init__(self, current: int, aside: int) -> None:
        super().__init__("Somebody else has stored another text of this draft meanwhile.")
        self.current = current
        self.aside = aside


@dataclass(frozen=True, slots=True)
class Stored:
    """The number of the text that stands now, and whether it was stored by this act."""

    number: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a draft begins with: its name in lists, its text, and the version it follows."""

    title: str
    source: bytes
    started_from: UUID | None = None


def start_draft(
    *, draft_id: UUID, catalog_id: UUID, beginning: Beginning, by: User, at: datetime
) -> UUID:
    """Begin a draft and return its id. Raises NotAllowed, UnableToDraft for a text too large."""
    role = check_can_author(by)
    _check_size(beginning.source)
    with transaction.atomic():
        draft = Draft.objects.create(
            id=draft_id,
            title=beginning.title[:_LONGEST_TITLE],
            catalog_key=catalog_id,
            started_from_id=beginning.started_from,
            created_by=by,
            created_at=at,
            changed_at=at,
        )
        _add_text(draft, DraftText(number=1, source=beginning.source), by, at)
        facts: dict[str, Value] = {**_named(1, beginning.source)}
        if beginning.started_from is not None:
            facts["started_from"] = str(beginning.started_from)
        _record(draft, "draft.start", person(by, role), at, facts)
    return draft_id


def store_text(
    *, draft_id: UUID, source: bytes, title: str, expected: int, by: User, at: datetime
) -> Stored:
    """Store a text as the draft's next one; what is there already is not stored twice.

    `expected` is the number of the text that the author wrote over. Raises NotAllowed, NoSuchDraft,
    UnableToDraft for a text too large, and WrittenMeanwhile when another text stands by now: then
    this one is stored aside.
    """
    role = check_can_author(by)
    _check_size(source)
    lost: int | None = None
    with transaction.atomic():
        draft = _load_for_update(draft_id)
        if bytes(_text(draft, draft.current).source) == source:
            return Stored(draft.current, is_new=False)
        if draft.current != expected:
            lost = _store_aside(draft, source, person(by, role), by, at)
        else:
            _store_next(draft, DraftText(source=source), title, by, at)
            facts = _named(draft.current, source)
            _record(draft, "draft.write", person(by, role), at, facts)
    if lost is not None:
        raise WrittenMeanwhile(draft.current, lost)
    return Stored(draft.current, is_new=True)


def bring_back_text(
    *, draft_id: UUID, number: int, expected: int, by: User, at: datetime
) -> Stored:
    """Store an earlier text as the draft's next one, byte for byte.

    Raises as `store_text` does, and NoSuchDraft for a number that was never given.
    """
    role = check_can_author(by)
    with transaction.atomic():
        draft = _load_for_update(draft_id)
        source = bytes(_text(draft, number).source)
        if draft.current != expected:
            raise WrittenMeanwhile(draft.current, number)
        if number == draft.current:
            return Stored(number, is_new=False)
        _store_next(draft, DraftText(source=source, brought_back=number), draft.title, by, at)
        facts: dict[str, Value] = {**_named(draft.current, source), "brought_back": number}
        _record(draft, "draft.bring_back", person(by, role), at, facts)
    return Stored(draft.current, is_new=True)


def hand_in_draft(
    *, draft_id: UUID, version_id: UUID, expected: int, by: User, at: datetime
) -> UUID:
    """Hand the text that stands to the approvers, and return its version's id.

    `version_id` is the id it gets if it is handed in for the first time; one that came back keeps
    its own. Raises NotAllowed, NoSuchDraft, WrittenMeanwhile, UnableToDraft and UnableToMove.
    """
    role = check_can_author(by)
    with transaction.atomic():
        draft = _load_for_update(draft_id)
        if draft.current != expected:
            raise WrittenMeanwhile(draft.current, draft.current)
        source = bytes(_text(draft, draft.current).source)
        if draft.version_id is None:
            draft.version_id = create_draft(
                source=source, catalog_id=draft.catalog_key, version_id=version_id, by=by, at=at
            )
            draft.save(update_fields=["version"])
        else:
            _check_came_back(draft.version_id)
            revise_version(version_id=draft.version_id, source=source, by=by, at=at)
        submit_version(version_id=draft.version_id, by=by, at=at)
        facts: dict[str, Value] = {
            **_named(draft.current, source),
            "version_id": str(draft.version_id),
        }
        _record(draft, "draft.hand_in", person(by, role), at, facts)
    return draft.version_id


def _check_came_back(version_id: UUID) -> None:
    version = CatalogVersion.objects.only("state", "version").get(pk=version_id)
    if version.state != VersionState.DRAFT:
        raise UnableToMove(
            f"Version {version.version} of this draft is {VersionState(version.state).label}. Take "
            "it back first, or start a new draft from it."
        )


def _check_size(source: bytes) -> None:
    if len(source) > MOST_BYTES:
        raise UnableToDraft(
            f"The text has {len(source):,} bytes; a draft may have {MOST_BYTES:,}. Split it."
        )


def _load_for_update(draft_id: UUID) -> Draft:
    draft = Draft.objects.select_for_update().filter(pk=draft_id).first()
    if draft is None:
        raise NoSuchDraft
    return draft


def _text(draft: Draft, number: int) -> DraftText:
    found = draft.texts.filter(number=number).first()
    if found is None:
        raise NoSuchDraft
    return found


def _store_next(draft: Draft, text: DraftText, title: str, by: User, at: datetime) -> None:
    draft.last += 1
    draft.current = draft.last
    draft.title = title[:_LONGEST_TITLE] or draft.title
    draft.changed_at = at
    draft.save(update_fields=["last", "current", "title", "changed_at"])
    text.number = draft.current
    _add_text(draft, text, by, at)


def _store_aside(draft: Draft, source: bytes, actor: Actor, by: User, at: datetime) -> int:
    mine = draft.texts.filter(written_by=by).order_by("-number").first()
    if mine is not None and bytes(mine.source) == source:
        return mine.number
    draft.last += 1
    draft.save(update_fields=["last"])
    _add_text(draft, DraftText(number=draft.last, source=source, is_aside=True), by, at)
    _record(draft, "draft.aside", actor, at, _named(draft.last, source))
    return draft.last


def _add_text(draft: Draft, text: DraftText, by: User, at: datetime) -> None:
    text.draft, text.written_by, text.written_at = draft, by, at
    text.save(force_insert=True)


def _named(number: int, source: bytes) -> dict[str, Value]:
    return {"number": number, "sha256": hashlib.sha256(source).hexdigest()}


def _record(draft: Draft, kind: str, by: Actor, at: datetime, facts: Mapping[str, Value]) -> None:
    record(chain_id=draft.id, about=About.CATALOG, kind=kind, by=by, at=at, facts=facts)

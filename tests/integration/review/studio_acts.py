"""The actions of the studio with the entries that each leaves, for the table of all actions."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4

from catalogs.actions.drafts import (
    Beginning,
    bring_back_text,
    hand_in_draft,
    start_draft,
    store_text,
)
from catalogs.actions.remarks import (
    Said,
    approve_version,
    ask_for_changes,
    comment_on_version,
    take_back_version,
)
from catalogs.actions.versions import revise_version
from catalogs.models import CatalogVersion
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.draft_rehearsals import claim_order, finish_rehearsal, order_rehearsal
from tests.factories import (
    NOON,
    catalog_source,
    draft,
    in_review,
    make_person,
    waved_through,
)

Act = Callable[[], object]


def _author() -> User:
    return make_person(Role.CATALOG_AUTHOR)


def _begun(by: User) -> UUID:
    beginning = Beginning("A draft", catalog_source("micro"))
    return start_draft(draft_id=uuid4(), catalog_id=uuid4(), beginning=beginning, by=by, at=NOON)


def _start() -> Act:
    by = _author()
    return lambda: _begun(by)


def _written(by: User, draft_id: UUID) -> None:
    store_text(draft_id=draft_id, source=b"x", title="", expected=1, by=by, at=NOON)


def _write() -> Act:
    by = _author()
    draft_id = _begun(by)
    return lambda: _written(by, draft_id)


def _bring_back() -> Act:
    by = _author()
    draft_id = _begun(by)
    _written(by, draft_id)
    return lambda: bring_back_text(draft_id=draft_id, number=1, expected=2, by=by, at=NOON)


def _hand_in() -> Act:
    by = _author()
    draft_id = _begun(by)
    return lambda: hand_in_draft(draft_id=draft_id, version_id=uuid4(), expected=1, by=by, at=NOON)


def _revise() -> Act:
    by, source = _author(), catalog_source("micro")
    version_id = draft(source, by)
    return lambda: revise_version(version_id=version_id, source=source, by=by, at=NOON)


def _remark(act: Callable[..., None], **more: object) -> Callable[[], Act]:
    def prepare() -> Act:
        approver = make_person(Role.CATALOG_APPROVER)
        version_id = in_review(catalog_source("micro"), _author(), approver)
        sent = more or {"expected_digest": CatalogVersion.objects.get().digest}
        return lambda: act(version_id=version_id, remark_id=uuid4(), by=approver, at=NOON, **sent)

    return prepare


def _take_back() -> Act:
    by = _author()
    version_id = in_review(catalog_source("micro"), by, make_person(Role.CATALOG_APPROVER))
    return lambda: take_back_version(version_id=version_id, by=by, at=NOON)


def _order() -> Act:
    by = _author()
    draft_id = _begun(by)
    return lambda: order_rehearsal(order_id=uuid4(), draft_id=draft_id, by=by, at=NOON)


def _finish() -> Act:
    _order()()
    claimed = claim_order(at=NOON)
    assert claimed is not None
    found = waved_through(claimed.source)
    return lambda: finish_rehearsal(
        claimed=claimed, report_id=uuid4(), rehearsal=found, by="w", at=NOON
    )


STUDIO: dict[str, tuple[str, Callable[[], Act]]] = {
    "start_draft": ("draft.start", _start),
    "store_text": ("draft.write", _write),
    "bring_back_text": ("draft.bring_back", _bring_back),
    "hand_in_draft": ("draft.hand_in version.draft version.submit", _hand_in),
    "revise_version": ("version.revise", _revise),
    "comment_on_version": ("version.comment", _remark(comment_on_version, said=Said("Why?"))),
    "ask_for_changes": ("version.ask_changes", _remark(ask_for_changes, said=Said("No."))),
    "approve_version": ("version.approve", _remark(approve_version)),
    "take_back_version": ("version.take_back", _take_back),
    "order_rehearsal": ("rehearsal.order", _order),
    "finish_rehearsal": ("rehearsal.store", _finish),
}

PARTS_OF_STUDIO = {
    "check_can_publish": "publish_version",
    "check_second_person": "publish_version",
    "check_lint": "publish_version",
    "check_number": "publish_version",
    "check_days": "publish_version",
    "check_calibration": "publish_version",
    "check_rehearsal": "publish_version",
    "check_merging": "publish_version",
    "check_base": "publish_version",
    "check_sites": "publish_version",
    "overlay_facts": "publish_version",
    "overlap": "publish_version",
    "first_of": "publish_version",
    "gates_of": "publish_version",
    "gates_of_version": "publish_version",
    "authors_of": "publish_version",
    "rehearsal_gaps": "publish_version",
    "in_sentences": "publish_version",
    "readable": "create_draft",
    "load_for_update": "submit_version",
    # Patterns run over them; what is shown is turn numbers (docs/adr/0038).
    "past_call": "finish_rehearsal",
    "masked_calls": "finish_rehearsal",
    "check_state": "submit_version",
    "store_fields": "submit_version",
    "record_step": "submit_version",
    # Bookkeeping of a job: who holds it and how far it is.
    "claim_order": "finish_rehearsal",
    "note_progress": "finish_rehearsal",
}

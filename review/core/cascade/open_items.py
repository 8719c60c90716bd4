"""Acceptance items of a row that anchors and rules left open, and who can show them in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from catalogs.core.document import AskMatcher, EventMatcher, Matcher, Phase
from review.core.rows import Row


class OpenItem(NamedTuple):
    """One acceptance item that is open: what it says, and the roles whose words can show it."""

    id: str
    text: str
    roles: tuple[str, ...]


def open_items(phase: Phase, row: Row) -> tuple[OpenItem, ...]:
    """Return the items of a row that words can show and that are not shown yet, as the catalog has
    them; none of a row that is settled, contradicted or owed per element of a list.
    """
    if isinstance(row.finish, int) or row.contradicted_at is not None:
        return ()
    if phase.for_each is not None or row.instances is not None:
        return ()
    met = {state.id for state in row.items if state.met}
    found = [OpenItem(one.id, one.text, roles_that_show(one.match)) for one in phase.accept]
    return tuple([one for one in found if one.roles and one.id not in met])


def roles_that_show(matchers: Sequence[Matcher]) -> tuple[str, ...]:
    """Return who can show an item in words, in the order of the catalog; none for events."""
    roles: dict[str, None] = {}
    for matcher in matchers:
        if isinstance(matcher, EventMatcher):
            continue
        named = matcher.answer_by if isinstance(matcher, AskMatcher) else matcher.by
        roles |= dict.fromkeys(named)
    return tuple(roles)

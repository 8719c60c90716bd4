"""The lines of the table: one address and method, and the status that each sort of person gets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.integration.views import permission_table as table
from tests.integration.views import studio_table
from tests.integration.views.world import DRAFT_VERSION, World

SITE_ROLES = table.ROLES[:4]
ADMINISTRATOR = table.ROLES[-1]
#: A role, and whether it is held at the site of the call.
Column = tuple[str, bool]
NOBODY: Column = ("", True)


@dataclass(frozen=True, slots=True)
class Line:
    """What people get from one address by one method."""

    method: str
    name: str
    statuses: Mapping[Column, int]
    of_draft: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.name}{' of a draft' if self.of_draft else ''}"

    @property
    def is_about_calls(self) -> bool:
        """Whether an administrator gets an administrator's answer, whatever else they are."""
        on_drafts = "draft" in self.name and "what_if" not in self.name
        return self.name.startswith("review:") and not on_drafts

    def address(self, world: World) -> str:
        """Return the address of what there is."""
        return world.address(self.name, **({"version": DRAFT_VERSION} if self.of_draft else {}))

    def expected(self, columns: Iterable[Column]) -> int:
        """Return the status for who holds all these roles: the most that one of them gets."""
        held = list(columns) or [NOBODY]
        if self.is_about_calls and any(role == ADMINISTRATOR for role, _ in held):
            return self.statuses[ADMINISTRATOR, True]
        return max((self.statuses[column] for column in held), key=_rank)


def _rank(status: int) -> int:
    return {404: 0, 403: 1}.get(status, 2)


def lines() -> list[Line]:
    """Return every line that asks for a role."""
    return list(_lines())


def _lines() -> Iterator[Line]:
    for method, own, other in (
        ("GET", table.OWN_SITE, table.OTHER_SITE),
        ("POST", table.OWN_SITE_FORMS, table.OTHER_SITE_FORMS),
        ("POST", table.PAGE_FORMS, table.OTHER_SITE_PAGE_FORMS),
    ):
        assert own.keys() == other.keys()
        for name in own:
            nobody = table.ROLELESS.get(name)
            yield Line(method, name, _columns(own[name], other[name], nobody))
    for name, row in table.PUBLISHED_CATALOG.items():
        yield Line("GET", name, _columns(row, row, table.ROLELESS_CATALOG[name]))
    for name, row in table.DRAFT_CATALOG.items():
        yield Line("GET", name, _columns(row, row, 404), of_draft=True)
    for method, own in (
        ("GET", studio_table.STUDIO),
        ("POST", studio_table.STUDIO_FORMS),
        ("POST", studio_table.STUDIO_TAKES_FORMS),
    ):
        for name, row in own.items():
            yield Line(method, name, _columns(row, row, 404))
    for name, row in table.ADMINISTRATION.items():
        elsewhere = table.ADMINISTRATION_ELSEWHERE.get(name, row[3])
        yield Line("GET", name, _columns(row, (*row[:3], elsewhere)))
    for name, row in table.ADMINISTRATION_FORMS.items():
        yield Line("POST", name, _columns(row, row))


def _columns(
    own: Iterable[int], other: Iterable[int], nobody: int | None = None
) -> dict[Column, int]:
    found: dict[Column, int] = {
        (role, True): status for role, status in zip(table.ROLES, own, strict=True)
    }
    found |= {(role, False): status for role, status in zip(SITE_ROLES, other, strict=False)}
    # An organisation-wide role has no site.
    found |= {(role, False): found[role, True] for role in table.ROLES[4:]}
    found[NOBODY] = found["catalog_author", True] if nobody is None else nobody
    return found

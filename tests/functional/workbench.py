"""A reviewer at a call of their own: made anew for each test, at a site of its own."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Page

from tests.functional.site import Site

PASSWORD = "a password"
_MAKE = """
from dataclasses import replace
from tests.factories import Role, case, make_person, make_site, prefilled
site = make_site({site!r})
for name in {people!r}:
    make_person(Role.REVIEWER, site=site, username=name)
call = case("case_b_call")
turns = tuple(replace(turn, text=turn.text + {tail!r}) for turn in call.turns)
print(prefilled(replace(call, turns=turns), site))
"""
_DECIDED = """
from review.models import Decision
found = Decision.objects.filter(call_id={call_id!r}).order_by("number")
made = (f"{{one.kind}}:{{one.phase}}:{{one.value.get('point', '')}}" for one in found)
print("STORED", *made)
"""


@dataclass(frozen=True, slots=True)
class Desk:
    """A Case B with its reviewers; `path` is its page."""

    site: Site
    call_id: str
    people: tuple[str, ...]

    @property
    def path(self) -> str:
        """The address of the call's page."""
        return f"/calls/{self.call_id}/"

    def decisions(self) -> list[str]:
        """Return what is stored, in order: KIND:PHASE:POINT."""
        return (
            self.site.manage("shell", given=_DECIDED.format(call_id=self.call_id))
            .rpartition("STORED")[2]
            .split()
        )


def make_desk(site: Site, name: str, *, tail: str = "") -> Desk:
    """Make a Case B, each of its turns ending on `tail`, with two reviewers of its site."""
    people = (f"{name}-first", f"{name}-second")
    given = _MAKE.format(site=name, people=people, tail=tail)
    return Desk(site, site.manage("shell", given=given).split()[-1], people)


def sign_in(page: Page, name: str) -> None:
    """Sign a reviewer in on the page that asks for it."""
    page.get_by_label("User name or email").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def open_desk(page: Page, desk: Desk, who: int = 0) -> None:
    """Sign a reviewer of the desk in and open its call."""
    page.goto("/accounts/login/")
    sign_in(page, desk.people[who])
    page.goto(desk.path)

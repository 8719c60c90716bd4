"""What every page keeps to in a browser: our own host alone, and the evidence in view at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from urllib.parse import urlsplit

import pytest
from django.urls import NoReverseMatch, Resolver404, URLPattern, get_resolver, resolve, reverse
from playwright.sync_api import Page, expect

from tests.bench.pages.fill import planted_call
from tests.functional.conftest import LOOKS, Look, OpenContext, SignIn
from tests.functional.site import Site

READER, PASSWORD = "budget-reader", "a password"
PLANTED = 8
#: Leaving ends the visit; the others are files to be kept, or take a form alone: no pages.
NOT_VISITED = {
    *("account_logout", "catalogs:document", "review:import_outcomes"),
    *("review:queue_next", "review:audit_file", "review:verifier", "review:auditor_pack"),
    *("review:log_verify", "review:retention_propose", "review:calibration_waive"),
    *("review:sign_several_begin", "review:sign_several_complete"),
    *("review:sign_several_by_code", "review:erasure_ask", "review:legal_hold_place"),
    *("review:figures_csv", "review:signed_calls_file", "review:failure_rates_file"),
    "review:call_vcon",
    *("review:access_log_file", "review:report_card_file", "review:report_cards_file"),
    "review:drift_file",
}
_SETTLED_MS = 300
#: What a page asks for on its own it asks for as it comes.
_ASKED_MS = 100
_MAKE = """
import json, sys
from tests.factories import Role, fill_all, make_person, make_site, read, take
site = make_site("budgets")
make_person(Role.REVIEWER, site=site, username={reader!r})
for raw in json.loads({calls!r}):
    print(raw["id"], take(read(raw), site).call_id)
fill_all()
"""


@pytest.fixture(scope="module")
def planted(site: Site, demo_passwords: dict[str, str]) -> dict[str, int]:
    """Store calls with evidence at random turns; returns the evidence's turn by the call's path."""
    assert demo_passwords, "the demo's catalogs read these calls"
    draw = Random(5)  # noqa: S311 - places evidence
    made = [planted_call(f"planted-{number}", draw) for number in range(PLANTED)]
    turns = {raw["id"]: turn for raw, turn in made}
    program = _MAKE.format(reader=READER, calls=json.dumps([raw for raw, _ in made]))
    printed = site.manage("shell", given=program).split()
    pairs = zip(printed[-2 * PLANTED :: 2], printed[-2 * PLANTED + 1 :: 2], strict=True)
    return {reverse("review:call", args=[call_id]): turns[name] for name, call_id in pairs}


def test_the_first_flagged_rows_evidence_is_in_view_wherever_it_is(
    open_context: OpenContext, planted: dict[str, int], sign_in: SignIn
) -> None:
    page = open_context(javascript=False).new_page()
    sign_in(page, READER, PASSWORD)
    for path, turn in planted.items():
        page.goto(path)
        page.wait_for_timeout(_SETTLED_MS)
        expect(page.locator(f"#t{turn}")).to_be_in_viewport(ratio=0.5)
        expect(page.get_by_role("region", name="Verdict")).to_be_in_viewport()


@pytest.mark.parametrize("look", [LOOKS[0], Look(400, "light")], ids=str)
def test_the_list_leads_to_the_evidence(
    open_context: OpenContext, planted: dict[str, int], sign_in: SignIn, look: Look
) -> None:
    page = open_context(look, javascript=False).new_page()
    sign_in(page, READER, PASSWORD)
    for path, turn in list(planted.items())[:3]:
        page.goto(reverse("review:calls"))
        page.locator(f"a[href^='{path}']").click()
        # Turns that get their height late must not move it away again.
        page.wait_for_timeout(_SETTLED_MS)
        expect(page.locator(f"#t{turn}")).to_be_in_viewport(ratio=0.5)


def test_no_page_asks_another_host(
    open_context: OpenContext,
    planted: dict[str, int],
    demo_passwords: dict[str, str],
    site: Site,
    sign_in: SignIn,
) -> None:
    hosts: set[str] = set()
    visited: set[str] = set()
    people = {name: demo_passwords[name] for name in ("compliance", "administrator")}
    for username, password in {READER: PASSWORD, **people}.items():
        context = open_context()
        context.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
        page = context.new_page()
        for path in (reverse("account_login"), "/no-such-page/"):
            page.goto(path)
        sign_in(page, username, password)
        # To others the planted calls are not there; they find calls of theirs by links.
        own_calls = planted if username == READER else ()
        visited |= visit_everything(page, [*own_calls, *addresses()])
    assert {"review:call", "review:mapping", "catalogs:version", "mfa_index"} <= visited
    own = {name for name in names_of_ours() if name not in NOT_VISITED}
    assert own <= visited, own - visited
    assert hosts - {""} == {urlsplit(site.url).netloc}


def visit_everything(page: Page, paths: list[str]) -> set[str]:
    """Visit one page of every view that can be reached by links; returns the views' names."""
    visited: set[str] = set()
    while paths:
        path = paths.pop(0)
        name = name_of(path)
        if not name or name in visited | NOT_VISITED:
            continue
        visited.add(name)
        page.goto(path)
        page.wait_for_timeout(_ASKED_MS)
        links = page.locator("a[href]").evaluate_all("all => all.map(one => one.href)")
        paths += [urlsplit(link).path for link in links if link.startswith("http")]
    return visited


def name_of(path: str) -> str:
    """Return the name of the view at a path, "" where there is none."""
    try:
        return resolve(path).view_name
    except Resolver404:
        return ""


def addresses() -> Iterator[str]:
    """Yield the addresses that need no argument."""
    for name in [*get_resolver().reverse_dict, *names_of_ours()]:
        if isinstance(name, str):
            try:
                yield reverse(name)
            except NoReverseMatch:
                continue


def names_of_ours() -> set[str]:
    """Return the names of our pages that need no argument."""
    found = set()
    for space in ("review", "catalogs", "administration"):
        _, resolver = get_resolver().namespace_dict[space]
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLPattern) and "<" not in str(pattern.pattern):
                found.add(f"{space}:{pattern.name}")
    return found

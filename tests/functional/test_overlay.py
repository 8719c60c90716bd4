"""An overlay for a site, from its first text to the calls that it judges."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from catalogs.shipped import SHIPPED_OVERLAYS
from tests.functional.conftest import OpenContext
from tests.functional.site import Site
from tests.functional.studio import enter, look_at, publish, store

_PEOPLE = """
from tests.factories import Role, make_person, make_site
make_site("laid")
make_site("bare")
make_person(Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER, username="layer")
make_person(Role.CATALOG_APPROVER, username="second-layer")
"""
_JUDGED = """
from uuid import uuid4
from tests.factories import make_site, prefilled, read
from tests.golden.judged import raw_case
from review.models import Call
about = {**raw_case("case_b_call")["call"], "date": "2026-05-04"}
for slug in ("laid", "bare"):
    raw = raw_case("case_b_call", id=f"laid-{uuid4().hex[:8]}", call=about)
    call_id = prefilled(read(raw), make_site(slug))
    version = Call.objects.get(pk=call_id).catalog_version
    print(f"{version.catalog.slug}@{version.version}")
"""
_WEAKER = "tighten:\n  CSV: {ack_required: false}\n"


def test_an_overlay_judges_the_calls_of_its_site_and_the_base_all_others(
    site: Site,
    demo_passwords: dict[str, str],
    open_context: OpenContext,
    complaints: list[str],
    check_accessible: Callable[[Page], None],
) -> None:
    assert demo_passwords  # the demo has published the catalogs
    site.manage("shell", given=_PEOPLE)
    author = enter(open_context, "layer", complaints)
    author.goto("/catalogs/drafts/")
    author.get_by_label("An overlay of").select_option(label="benefits-verification 2.0.0")
    author.get_by_label("For the site").select_option("laid")
    author.get_by_role("button", name="Begin an overlay").click()

    written = text_for("laid")
    store(author, written.replace("tighten:\n", _WEAKER))
    refused = author.get_by_text("E610").first
    expect(refused).to_be_visible()
    look_at(author, check_accessible)
    store(author, written)
    expect(author.get_by_text("E610")).to_have_count(0)
    expect(author.get_by_role("heading", name="The merged catalog")).to_be_visible()
    look_at(author, check_accessible)

    author.get_by_role("button", name="Hand in for review").click()
    author.get_by_role("button", name="Approve this text").click()
    own = "approved and published by a second person; you wrote or submitted it."
    expect(author.get_by_role("alert").get_by_text(own)).to_be_visible()

    second = enter(open_context, "second-layer", complaints)
    second.goto(author.url)
    look_at(second, check_accessible)
    publish(second)
    assert site.manage("shell", given=_JUDGED).split()[-2:] == [
        "benefits-verification--laid@1.0.0",
        "benefits-verification@2.0.0",
    ]
    assert not complaints


def text_for(slug: str) -> str:
    """Return the shipped overlay as one of another site."""
    [path] = [one for one in SHIPPED_OVERLAYS if one.stem == "benefits_verification_north"]
    text = path.read_text("utf-8")
    return text.replace("sites: [north]", f"sites: [{slug}]").replace(
        "catalog: benefits-verification--north", f"catalog: benefits-verification--{slug}"
    )

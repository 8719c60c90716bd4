"""A version is published in shadow, read beside the one that judges, and let to decide."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.functional.conftest import OpenContext
from tests.functional.site import Site
from tests.functional.studio import enter, look_at

_NAMES = """
from tests.factories import Role, catalog_source, in_review, make_person, make_site, publish
from tests.trials import loose
def own(source):
    source = source.replace(b"catalog: member-benefits-micro", b"catalog: tried-micro")
    return source.replace(b"'member_benefits'", b"'tried'")
author, approver = make_person(Role.CATALOG_AUTHOR), make_person(Role.CATALOG_APPROVER)
publish(own(catalog_source("micro")), author, approver)
in_review(own(loose()), author, approver)
make_person(Role.CATALOG_APPROVER, username="trier")
make_person(Role.SENIOR_REVIEWER, site=make_site("tried"), username="tried-senior")
"""
_JUDGED = """
from tests.factories import make_site, prefilled, raw_micro, read
from review.models import Call
about = {{**raw_micro()["call"], "type": "tried"}}
call_id = prefilled(read(raw_micro(id="{name}", call=about)), make_site("tried"))
call = Call.objects.select_related("catalog_version").get(pk=call_id)
print(call_id, call.catalog_version.version, call.call_success)
"""


def test_a_version_is_tried_in_shadow_and_then_decides(
    site: Site,
    demo_passwords: dict[str, str],
    open_context: OpenContext,
    complaints: list[str],
    check_accessible: Callable[[Page], None],
) -> None:
    assert demo_passwords  # the demo has published the catalogs
    site.manage("shell", given=_NAMES)
    approver = enter(open_context, "trier", complaints)
    approver.goto("/catalogs/tried-micro/3.0.0/review/")
    look_at(approver, check_accessible)
    approver.get_by_label("In shadow").check()
    approver.get_by_role("button", name="Publish", exact=True).click()
    expect(approver.get_by_text("It is published.")).to_be_visible()
    approver.get_by_role("link", name="Its trial").click()
    expect(approver.get_by_text("No call has been read in its shadow yet.")).to_be_visible()

    call_id, version, outcome = judged(site, "first")
    assert (version, outcome) == ("2.0.0", "FAIL")
    found = approver.get_by_text("1 of 1 verdicts would be others.")
    for _ in range(30):
        if found.count():
            break
        approver.wait_for_timeout(1_000)
        approver.reload()
    expect(found).to_be_visible()
    # Who reads no calls gets ids.
    expect(approver.get_by_text(call_id, exact=True)).to_be_visible()
    look_at(approver, check_accessible)

    senior = enter(open_context, "tried-senior", complaints)
    senior.goto("/catalogs/tried-micro/3.0.0/trial/")
    expect(senior.get_by_role("link", name="first", exact=True)).to_be_visible()
    expect(senior.get_by_role("button", name="Let it decide")).to_have_count(0)

    approver.get_by_label("It decides calls from").fill("2026-03-01")
    approver.get_by_role("button", name="Let it decide").click()
    expect(approver.get_by_text("It decides from that day on.")).to_be_visible()
    assert judged(site, "second")[1:] == ("3.0.0", "PASS")
    assert not complaints


def judged(site: Site, name: str) -> tuple[str, str, str]:
    """Have a call come in; returns its id, the version that judges it, and its CallSuccess."""
    call_id, version, outcome = site.manage("shell", given=_JUDGED.format(name=name)).split()[-3:]
    return call_id, version, outcome

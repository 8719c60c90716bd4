"""An author's way from a shipped catalog to one in force: written, tried on past calls, approved.

Calls, people and days are the test's own: the demo is for others to look at, and its catalog is in
force for five years more.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.functional.conftest import OpenContext
from tests.functional.site import Site
from tests.functional.studio import enter, look_at, publish, store

_WORK_MS = 60_000
#: A call that passes by 2.0.0 and in which nobody says that an AI speaks.
_SILENT_CALL = """
from tests.factories import Role, make_person, make_site, prefilled, read
from tests.golden.judged import raw_case
from review.models import Call
site = make_site("studied")
raw = raw_case("case_b_call", "identity-first", id="silent")
for turn in raw["turns"]:
    if turn["n"] == 40:
        turn["text"] = "Hello, I am calling on behalf of Pinecrest Rheumatology."
call_id = prefilled(read(raw), site)
prefilled(read(raw_case("case_b_call", id="told")), site)
make_person(Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER, username="both")
make_person(Role.CATALOG_APPROVER, username="second")
make_person(Role.SENIOR_REVIEWER, site=site, username="studied-senior")
print(call_id, Call.objects.get(pk=call_id).call_success)
"""
_JUDGED = """
from tests.factories import make_site, prefilled, read
from tests.golden.judged import raw_case
from review.models import Call
def judged(name, date):
    about = {**raw_case("case_b_call")["call"], "date": date}
    call_id = prefilled(read(raw_case("case_b_call", id=name, call=about)), make_site("studied"))
    return Call.objects.select_related("catalog_version").get(pk=call_id).catalog_version.version
print(judged("right-date", "2031-12-02"), judged("older", "2031-11-30"))
"""
_PHASE = """phases:
  - id: AID
    name: AI disclosure
    basis: [SITE]
    intent: The agent says that it is an AI before the patient is identified.
    required: always
    parents: []
    starts:
      - {re: '(?i)\\bAI (assistant|agent|system)\\b', by: [agent]}
    accept:
      - id: told
        text: The agent says that it is an AI.
        match:
          - {re: '(?i)\\bAI (assistant|agent|system)\\b', by: [agent]}
    counterexamples: [A greeting with a name alone.]
    rubric:
      pass: ["Agent: I am an AI assistant. Rep: Yes.", "Agent: An AI agent. Rep: Fine."]
      fail: ["Agent: Hello, this is the clinic.", "Rep: A robot? Agent: I am from the clinic."]
"""
_EDGE = """required: always
    parents: [AID]
    critical_parents:
      AID: {rationale: "", sources: [SITE]}
    volunteered:
      accept: false
      rationale: A match"""
_CHANGES = (
    ("review_by: 2027-01-01", "review_by: 2032-01-01"),
    ("phases:\n", _PHASE),
    (
        "required: always\n    parents: []\n    volunteered:\n      accept: false\n"
        "      rationale: A match",
        _EDGE,
    ),
    (
        "  - {call: case_b_call.json, variants: all}\n",
        "  - {call: case_b_call.json, variants: all}\n"
        "  - {call: case_b_order.json, expect: {AID: [never, never, 0], order_safe: 0}}\n",
    ),
)
_WHY = "Whoever is asked for an identity must know that a machine asks."


def test_an_author_brings_a_phase_into_force(
    site: Site,
    demo_passwords: dict[str, str],
    open_context: OpenContext,
    complaints: list[str],
    check_accessible: Callable[[Page], None],
) -> None:
    assert demo_passwords  # the demo has published the catalogs
    silent, outcome = site.manage("shell", given=_SILENT_CALL).split()[-2:]
    assert outcome == "PASS"
    author = enter(open_context, "both", complaints)

    begin(author)
    text = author.get_by_label("The catalog's text")
    written = changed(text.input_value())
    store(author, written)
    expect(author.get_by_text("has no rationale; say in a sentence").first).to_be_visible()
    store(author, written.replace('rationale: ""', f'rationale: "{_WHY}"'))
    expect(author.get_by_text("has no rationale")).to_have_count(0)

    tries(author, check_accessible)
    ask(author)
    expect(author.get_by_role("link", name="Show the result")).to_be_visible(timeout=_WORK_MS)
    author.get_by_role("link", name="Show the result").click()
    expect(author.get_by_text("1 of 2 verdicts change: 1 pass to fail (0 signed)")).to_be_visible()
    # Who reads no calls gets counts and ids.
    expect(author.get_by_text(silent, exact=True)).to_be_visible()
    expect(author.get_by_role("link", name="silent")).to_have_count(0)
    expect(author.get_by_role("row", name="AID→PID 1")).to_be_visible()
    look_at(author, check_accessible)
    with author.expect_download() as taken:
        author.get_by_role("link", name="Download as CSV").click()
    assert silent in taken.value.path().read_text("utf-8")

    author.get_by_role("link", name="What if, of the draft").click()
    expect(author.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    look_at(author, check_accessible)
    author.get_by_role("link", name="Text", exact=True).click()
    author.get_by_role("button", name="Hand in for review").click()
    author.get_by_role("button", name="Approve this text").click()
    refused = "approved and published by a second person; you wrote or submitted it."
    expect(author.get_by_role("alert").get_by_text(refused)).to_be_visible()

    second = enter(open_context, "second", complaints)
    second.goto(author.url)
    expect(second.get_by_text("1 pass to fail (0 signed)")).to_be_visible()
    look_at(second, check_accessible)
    publish(second)

    right, older = site.manage("shell", given=_JUDGED).split()[-2:]
    assert (right, older) == ("3.0.0", "2.0.0")
    sees_rows(enter(open_context, "studied-senior", complaints), silent)
    assert not complaints


def begin(page: Page) -> None:
    page.goto("/catalogs/drafts/")
    page.get_by_label("From a version").select_option(
        label="benefits-verification 2.0.0 (published)"
    )
    page.get_by_role("button", name="Begin from this version").click()


def changed(text: str) -> str:
    text = text.replace("2.1.0", "3.0.0")
    text = re.sub(
        r"effective: .*", "effective: {from: 2031-12-01, to: null, by: call.date}", text, count=1
    )
    for old, new in _CHANGES:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def tries(page: Page, check_accessible: Callable[[Page], None]) -> None:
    """Look at the hits on the calls of the tests, follow them in the form, and complete a name."""
    page.get_by_role("link", name="Hits", exact=True).click()
    expect(page.get_by_role("heading", name="Hits on calls")).to_be_visible()
    look_at(page, check_accessible)
    page.get_by_role("link", name="Form", exact=True).click()
    phase = page.locator("#form-CSV")
    phase.locator("summary").first.click()
    expect(phase.get_by_text("what starts it, pattern 1:").first).to_be_visible()
    phase.get_by_label("Owed").fill("PID passed and res")
    first = page.locator("#names-condition option").first
    expect(first).to_have_attribute("value", "PID passed and restrictions")
    look_at(page, check_accessible)


def ask(page: Page) -> None:
    page.get_by_role("link", name="What if", exact=True).click()
    page.get_by_label("Site").select_option(label="Studied")
    page.get_by_role("button", name="Ask", exact=True).click()


def sees_rows(page: Page, call_id: str) -> None:
    """Who reads the calls sees what became of their rows, and gets to the turn."""
    page.goto("/catalogs/benefits-verification/3.0.0/what-if/")
    page.get_by_role("link", name=re.compile("Read again: benefits-verification 3.0.0")).click()
    row = page.get_by_role("row").filter(has=page.get_by_text("AID→PID"))
    expect(row.last).to_contain_text("parent never finished")
    row.last.get_by_role("link").click()
    expect(page).to_have_url(re.compile(rf"/calls/{call_id}/#t45$"))

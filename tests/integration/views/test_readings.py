"""The pages of a blind reading: what its reader never gets before both are done, and what after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.core.decisions import Ask, Kind, PointValue
from review.models import Call, PhaseRow, Reading, ReadingAnswer
from tests.blind import CANNOT_TELL, answer_all, read_first, shares
from tests.factories import (
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.signers import act, sign_by_code, with_app

pytestmark = pytest.mark.django_db

#: The first reader writes this, and sets a start on a turn that no page names otherwise.
WORDS = "kumquat words of the first"
#: What a page would say of rows, verdicts, flags and edges; none is a word of micro's transcript.
FOUND = re.compile(
    r"kumquat|OrderSafe|CallSuccess|ORDER_VIOLATION|Order violated|order_violation|SAFETY_CRITICAL"
    r"|verdict-banner|class=\"mark (pass|fail)\"|turn-marks|class=\"evidence|confirmed by"
    r"|data-revision|Violet First|hold-line",
)


@pytest.fixture
def north() -> Site:
    publish(catalog_source("micro"))
    return make_site("north")


@pytest.fixture
def call_id(north: Site) -> UUID:
    return prefilled(case(), north)


def person(role: Role, north: Site, name: str) -> User:
    found = make_person(role, site=north, username=name.split()[0].lower())
    found.printed_name = name
    found.save()
    return found


@pytest.fixture
def ann(north: Site) -> User:
    return person(Role.REVIEWER, north, "Violet First")


@pytest.fixture
def ben(north: Site) -> User:
    return person(Role.REVIEWER, north, "Ben Blind")


@pytest.fixture
def sue(north: Site) -> User:
    return person(Role.SENIOR_REVIEWER, north, "Sue Senior")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(name: str, call_id: UUID, *more: str) -> str:
    return reverse(f"review:{name}", args=[call_id, *more])


def typed(**changes: Any) -> dict[str, Any]:
    given = {
        "form_key": uuid4(),
        "required": "yes",
        "start": "3",
        "finish": "4",
        "verdict": "pass",
        "turn_dob": "4",
        "words_dob": "February fourth",
    }
    return {**given, **changes}


Asked = tuple[str, str, dict[str, Any] | None, dict[str, str]]


def everything_asked(call_id: UUID) -> Iterator[Asked]:
    """Yield every address that could say something of a call: its name, itself, the form that is
    sent there (None: it is fetched), and headers.
    """
    fragment = {"HX-Request": "true"}
    for name in ("call", "hold", "sign", "reading", "differences", "mapping"):
        yield name, page(name, call_id), None, {}
        yield f"{name}?row", page(name, call_id) + "?row=CSV", None, {}
        yield f"{name} as fragment", page(name, call_id), None, fragment
    yield "row desk", page("row_desk", call_id, "CSV"), None, {}
    form = {"kind": "CONFIRM", "revision": "1", "form_key": str(uuid4())}
    for name in ("decide_row", "row_decided"):
        yield name, page(name, call_id, "CSV"), form, {}
    yield "settle", page("settle", call_id, "CSV"), {**form, "side": "first"}, {}
    for name in ("confirm_rest", "rest_confirmed", "decision_undone", "decision_redone"):
        yield name, page(name, call_id), form, {}
    for name in ("hold_claim", "hold_renew", "hold_skip", "hold_release", "sign_begin"):
        yield name, page(name, call_id), form, {}
    yield "refused", page("reading_answer", call_id, "PID"), typed(start="early"), {}
    yield "done too early", page("reading_done", call_id), {}, {}
    for query in ("", "?kind=blind", "?kind=order", "?kind=doubt", "?verdict=fail", "?text=CSV"):
        yield f"queue{query}", reverse("review:queue") + query, None, {}
    yield "readings", reverse("review:readings"), None, {}
    for query in ("", "?verdict=fail", "?flag=ORDER_VIOLATION", "?text=ORDER_VIOLATION"):
        yield f"calls{query}", reverse("review:calls") + query, None, {}


#: The same in a list, whose head names the outcomes of all calls.
FOUND_IN_LIST = re.compile(
    rf"{FOUND.pattern.replace('OrderSafe|CallSuccess|', '')}|mark-box (pass|fail|unknown)|at stake"
)


def leak_in(answer: Any) -> str:
    """Return the first thing in an answer's headers or body that nobody should have been told."""
    headers = "\n".join(f"{name}: {value}" for name, value in answer.items())
    html = answer.content.decode()
    if 'class="search"' in html:
        # A list: filters and what was typed there are the reader's own, its lines are not.
        lines = re.findall(r"<tbody>.*?</tbody>", html, re.DOTALL)
        found = FOUND_IN_LIST.search(headers + "".join(lines))
    else:
        found = FOUND.search(headers + html)
    return "" if found is None else found.group()


@pytest.fixture
def told(call_id: UUID, ann: User) -> UUID:
    """Have the first reader say what nobody else would: words, and a start of their own."""
    read_first(call_id, ann)
    act(call_id, Ask(Kind.SET_START, "CSV", value=PointValue(1), reason=WORDS), ann)
    act(call_id, Ask(Kind.COMMENT, "CSV", reason=WORDS), ann)
    return call_id


@pytest.mark.parametrize("taken", [False, True])
def test_c04_nothing_of_the_first_reading_reaches_the_second_reader(
    taken: bool, told: UUID, ben: User
) -> None:
    reader = signed_in(ben)
    if taken:
        assert reader.post(page("reading_take", told)).status_code == 302
    leaks = {}
    for name, address, form, headers in everything_asked(told):
        answer = (
            reader.get(address, headers=headers)
            if form is None
            else reader.post(address, form, headers=headers)
        )
        assert answer.status_code < 500, name
        if leak := leak_in(answer):
            leaks[name] = leak
    assert leaks == {}
    assert not PhaseRow.objects.filter(decided_by=ben).exists()


def test_the_same_addresses_say_it_once_both_are_done(told: UUID, ben: User) -> None:
    """The test above can fail: what it looks for is there for the same person afterwards."""
    answer_all(told, ben, CSV=CANNOT_TELL)
    reader = signed_in(ben)
    assert reader.post(page("reading_done", told)).status_code == 302
    assert WORDS in reader.get(page("call", told) + "?row=CSV").content.decode()
    assert leak_in(reader.get(page("call", told)))
    assert leak_in(reader.get(reverse("review:queue")))
    assert leak_in(reader.get(reverse("review:calls")))
    assert "readings differ</a>" in reader.get(page("call", told)).content.decode()
    queue = reader.get(reverse("review:queue") + "?kind=different").content.decode()
    assert f'href="{page("differences", told)}">Settle' in queue
    both = reader.get(page("differences", told)).content.decode()
    assert "Violet First" in both
    assert "1 of 3 rows differ" in both


def test_filters_counts_and_searches_do_not_find_it(told: UUID, ben: User, sue: User) -> None:
    """A call that is read blind is in no list that asks for what was found on it."""
    title = case().title
    for user in (ben, sue):
        reader = signed_in(user)
        lists = {
            "review:queue": ("?verdict=fail", "?flag=ORDER_VIOLATION", "?text=CSV", "?kind=order"),
            "review:calls": ("?verdict=fail", "?flag=ORDER_VIOLATION", "?text=CSV"),
        }
        for name, queries in lists.items():
            for query in queries:
                assert title not in reader.get(reverse(name) + query).content.decode(), query
        assert title in reader.get(reverse("review:queue") + "?kind=blind").content.decode()
        assert title in reader.get(reverse("review:calls")).content.decode()


def test_the_page_is_the_same_whatever_the_first_reader_said(
    north: Site, ann: User, ben: User
) -> None:
    """Two calls with the same words, judged otherwise by the first reader, look the same."""
    pages = []
    for number in range(2):
        call_id = prefilled(read(raw_micro(id=f"call-{number}")), north)
        read_first(call_id, ann)
        if number:
            act(call_id, Ask(Kind.SET_START, "CSV", value=PointValue(1), reason=WORDS), ann)
        reader = signed_in(ben)
        reader.post(page("reading_take", call_id))
        html = reader.get(page("reading", call_id)).content.decode()
        varying = (r'value="[^"]{36,}"', r"until \d\d:\d\d", str(call_id), f"call-{number}")
        for varies in varying:
            html = re.sub(varies, "", html)
        pages.append(re.sub(r"<header class=\"site-header.*?</header>", "", html, flags=re.DOTALL))
        Reading.objects.filter(call=call_id).update(held_until="2026-01-01T00:00Z")
    assert pages[0] == pages[1]


def test_a_reader_answers_every_row_from_nothing_without_a_script(
    told: UUID, ann: User, ben: User
) -> None:
    reader = signed_in(ben)
    taken = reader.post(reverse("review:queue_next") + "?kind=blind", {"key": uuid4()})
    assert taken["Location"] == page("reading", told)
    html = reader.get(page("reading", told)).content.decode()
    assert 'value="' in html
    assert not re.search(r'id="blind-(start|finish)"[^>]* value="', html)
    assert "nothing that was found on it is shown" in html
    assert "disabled" in html
    answer = reader.post(page("reading_answer", told, "PID"), typed())
    assert answer["Location"] == page("reading", told) + "?row=CSV#answer"
    own = reader.get(page("reading", told) + "?row=PID").content.decode()
    assert 'value="February fourth"' in own
    open_row = {"required": "open", "start": "?", "finish": "?", "verdict": "unknown"}
    for phase in ("CSV", "DCC"):
        assert (
            reader.post(
                page("reading_answer", told, phase), {"form_key": uuid4(), **open_row}
            ).status_code
            == 302
        )
    done = reader.post(page("reading_done", told))
    assert done["Location"] == page("differences", told)
    assert ReadingAnswer.objects.count() == 3


REFUSED = [
    ({"start": "early"}, "start", "Write a turn number"),
    ({"start": "99"}, "start", "no turn 99"),
    ({"finish": "1"}, "finish", "before the start"),
    ({"required": ""}, "required", "owes this phase"),
    ({"verdict": ""}, "verdict", "worth"),
    ({"words_dob": "March fifth"}, "words_dob", "word for word"),
    ({"turn_dob": ""}, "turn_dob", "on which turn"),
    ({"turn_dob": "77"}, "turn_dob", "no turn 77"),
    ({"words_dob": "", "turn_dob": ""}, "verdict", "needs evidence"),
    ({"form_key": "x"}, "", ""),
]


@pytest.mark.parametrize(("changes", "field", "sentence"), REFUSED)
def test_a_refusal_stands_at_its_field_and_keeps_what_was_typed(
    changes: dict[str, str], field: str, sentence: str, told: UUID, ben: User
) -> None:
    reader = signed_in(ben)
    reader.post(page("reading_take", told))
    answer = reader.post(page("reading_answer", told, "PID"), typed(**changes))
    html = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in html
    if field:
        assert f'id="blind-{field}_error"' in html
    for name, value in changes.items():
        if value and name not in ("form_key", "required", "verdict"):
            assert f'value="{value}"' in html
    assert not ReadingAnswer.objects.exists()


def test_the_first_reader_goes_on_and_is_told_that_a_second_is_awaited(
    told: UUID, ann: User
) -> None:
    first = signed_in(ann)
    html = first.get(page("call", told)).content.decode()
    assert "awaiting second reader" in html
    assert first.get(page("reading", told))["Location"] == page("call", told)
    assert first.post(page("reading_take", told))["Location"] == page("reading", told)
    assert Reading.objects.get().state == "WAITING"
    sign = first.get(page("sign", told)).content.decode()
    assert "drawn for a second reading" in sign


def test_who_only_reads_sees_the_call_and_takes_nothing(told: UUID, north: Site) -> None:
    auditor = signed_in(person(Role.AUDITOR, north, "Eve"))
    assert auditor.get(page("call", told)).status_code == 200
    assert auditor.post(page("reading_take", told)).status_code == 403


def test_a_senior_reviewer_calls_it_off_at_the_door(told: UUID, ben: User, sue: User) -> None:
    assert "Call it off" not in signed_in(ben).get(page("reading", told)).content.decode()
    senior = signed_in(sue)
    assert "Call it off" in senior.get(page("reading", told)).content.decode()
    refused = senior.post(page("reading_call_off", told), {"off-reason": " "})
    assert refused.status_code == 422
    assert "Write down why" in refused.content.decode()
    done = senior.post(page("reading_call_off", told), {"off-reason": "nobody left"})
    assert done["Location"] == page("call", told)
    assert senior.get(page("call", told)).status_code == 200


def test_given_back_it_is_somebody_elses_from_the_beginning(
    told: UUID, ben: User, sue: User
) -> None:
    reader = signed_in(ben)
    reader.post(page("reading_take", told))
    reader.post(page("reading_answer", told, "PID"), typed())
    assert reader.post(page("reading_give_back", told))["Location"] == reverse("review:queue")
    late = reader.post(page("reading_answer", told, "PID"), typed())
    assert late.status_code == 302
    other = signed_in(sue)
    other.post(page("reading_take", told))
    html = other.get(page("reading", told)).content.decode()
    assert "<strong>0</strong> of 3 rows answered" in html
    assert "February fourth" not in re.sub(r"<ol class=\"turns.*?</ol>", "", html, flags=re.DOTALL)


def test_differences_are_settled_on_their_page(told: UUID, ann: User, ben: User, sue: User) -> None:
    answer_all(told, ben, PID=CANNOT_TELL)
    signed_in(ben).post(page("reading_done", told))
    senior = signed_in(sue)
    html = senior.get(page("differences", told)).content.decode()
    assert "2 of 3 rows differ, 2 to settle" in html or "1 of 3 rows differ, 1 to settle" in html
    form = re.search(r'action="[^"]*PID/settle".*?</form>', html, re.DOTALL)
    assert form
    found = dict(re.findall(r'name="(form_key|revision)" value="([^"]*)"', form.group()))
    Call.objects.update(held_by=None, held_until=None, hold_key=None)
    without = senior.post(page("settle", told, "PID"), {**found, "side": "first", "reason": " "})
    assert without.status_code == 422
    assert "Write down why" in without.content.decode()
    done = senior.post(page("settle", told, "PID"), {**found, "side": "first", "reason": "turn 4"})
    assert done["Location"] == page("differences", told)
    after = senior.get(page("differences", told)).content.decode()
    assert "PID: settled" in after
    assert "PID/settle" not in after


def test_a_signed_call_that_is_read_again_is_hidden_from_its_reader_alone(
    call_id: UUID, sue: User, ben: User, north: Site
) -> None:
    read_first(call_id, sue, double=0)
    with_app(sue)
    with shares(drift=100):
        sign_by_code(sue, call_id)
    reader = signed_in(ben)
    taken = reader.post(reverse("review:queue_next"), {"key": uuid4()})
    assert taken["Location"] == page("reading", call_id)
    assert reader.get(page("call", call_id))["Location"] == page("reading", call_id)
    assert not leak_in(reader.get(page("reading", call_id)))
    assert not leak_in(reader.get(reverse("review:calls")))
    assert signed_in(sue).get(page("call", call_id)).status_code == 200
    answer_all(call_id, ben, CSV=CANNOT_TELL)
    reader.post(page("reading_done", call_id))
    html = reader.get(page("differences", call_id)).content.decode()
    assert "to have the call reopened" in html
    assert "/settle" not in html


def test_nothing_is_there_for_people_of_another_site(told: UUID, ann: User, ben: User) -> None:
    stranger = signed_in(make_person(Role.SENIOR_REVIEWER, site=make_site("south")))
    for name in ("reading", "differences"):
        assert stranger.get(page(name, told)).status_code == 404


def test_a_compliance_officer_says_how_much_is_read_blind(
    north: Site, call_id: UUID, ann: User
) -> None:
    officer = signed_in(person(Role.COMPLIANCE_OFFICER, north, "Olga"))
    html = officer.get(reverse("review:readings")).content.decode()
    assert "Store the shares" in html
    address = reverse("review:set_shares", args=[north.pk])
    refused = officer.post(address, {"double": "101", "critical": "0", "drift": "x"})
    assert refused.status_code == 422
    assert 'value="101"' in refused.content.decode()
    assert (
        officer.post(address, {"double": "100", "critical": "0", "drift": "7"}).status_code == 302
    )
    assert 'value="100"' in officer.get(reverse("review:readings")).content.decode()
    for row in PhaseRow.objects.filter(call=call_id).order_by("position"):
        act(call_id, Ask(Kind.CONFIRM, row.phase), ann)
    assert Reading.objects.get().kind == "DOUBLE"
    seen = signed_in(ann).get(reverse("review:readings")).content.decode()
    assert "100 of a hundred calls" in seen
    assert "Store the shares" not in seen


def test_readings_that_are_done_are_listed_with_how_many_rows_differ(told: UUID, ben: User) -> None:
    reader = signed_in(ben)
    assert case().title not in reader.get(reverse("review:readings")).content.decode()
    answer_all(told, ben, CSV=CANNOT_TELL)
    assert case().title not in reader.get(reverse("review:readings")).content.decode()
    reader.post(page("reading_done", told))
    html = reader.get(reverse("review:readings")).content.decode()
    assert case().title in html
    assert "1 of 3 differ" in html

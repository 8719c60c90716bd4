"""What the finder finds, what it leaves, and that its places are right in any script."""

from __future__ import annotations

from time import process_time

import pytest

from review.core.masking import Identifier, IdentifierKind, Masker, masker_of, masker_of_plain
from review.core.transcript import Call, Event, EventSource, Source, Speaker, Turn, TurnKind

NOBODY = masker_of_plain({}, [])

#: text, what of it is found, kind
FOUND = [
    ("My social is 123-45-6789.", "123-45-6789", "ssn"),
    ("Card 4111 1111 1111 1111, please.", "4111 1111 1111 1111", "card"),
    ("Call (202) 555-0142.", "(202) 555-0142", "phone"),
    ("Call 555-0142.", "555-0142", "phone"),
    ("From +1-202-555-0142 it rings.", "+1-202-555-0142", "phone"),
    ("Write to jo.b+x@mail.example.org today", "jo.b+x@mail.example.org", "email"),
    ("It is jo at mail dot com", "jo at mail dot com", "email"),
    ("See www.example.org/jo now", "www.example.org/jo", "web"),
    ("I live at 12 Maple Street, Apt 4.", "12 Maple Street, Apt 4", "address"),
    ("Send it to P.O. Box 77", "P.O. Box 77", "address"),
    ("The ZIP is 02139", "02139", "number"),
    ("The member ID is XK-44.", "XK-44", "number"),
    ("Your policy number is 12", "12", "number"),
    ("I see ZZT000417 here", "ZZT000417", "number"),
    (
        "It is Z Z T, zero zero zero, four one seven.",
        "Z Z T, zero zero zero, four one seven",
        "number",
    ),
    ("Group T E S T, dash, seven seven", "T E S T, dash, seven seven", "number"),
    ("I was born on 4 February 1980", "4 February 1980", "birth"),
    ("DOB 02/04/80", "02/04/80", "birth"),
    ("Born April ninth", "April ninth", "birth"),
    ("Effective January first, twenty twenty six.", "January first, twenty twenty six", "date"),
    ("Until 2026-01-31.", "2026-01-31", "date"),
    ("My name is Rowan Quillfeather.", "Rowan Quillfeather", "name"),
    ("This is Dr. Ødegård-Müller speaking", "Ødegård-Müller", "name"),
    ("Am I speaking with Mr. O'Hara?", "O'Hara", "name"),
    ("Rowan Quillfeather, born in May", "Rowan Quillfeather", "name"),
    ("My name is Robin, last initial V.", "Robin", "name"),
    ("She is 93 years old", "93 years old", "age"),
]


@pytest.mark.parametrize(("text", "there", "kind"), FOUND)
def test_an_identifier_is_found_where_it_stands(text: str, there: str, kind: str) -> None:
    found = [(text[one.start : one.end], one.kind.value) for one in NOBODY.finder.find(text)]
    assert (there, kind) in found


LEFT = [
    "The copay is $25 after the deductible.",
    "It is $1,250.50, or $12500 a year, in tier two.",
    "Thirty tablets for thirty days, 500mg, code J0135.",
    "Is the coverage active as of today?",
    "On a scale of one to ten, about a four.",
    "It would replace your current coverage on January first.",
    "I am okay. It is fine. This is the pharmacy.",
    "She is 45 years old and has diabetes.",
    "How do you spell it? F, I, C, T, O, R, O, L.",
    "Call 911 now.",
    "",
]


@pytest.mark.parametrize("text", LEFT)
def test_what_tells_nobody_apart_is_left(text: str) -> None:
    assert NOBODY.finder.find(text) == ()


def call(*texts: str, **more: object) -> Call:
    """Return a call whose turns alternate between two speakers."""
    turns = tuple(
        Turn(number, "ab"[number % 2], None, TurnKind.SPEECH, text)
        for number, text in enumerate(texts)
    )
    given: dict[str, object] = {
        "id": "c",
        "title": "c",
        "attributes": {},
        "speakers": {},
        "turns": turns,
        "events": (),
        "ended": True,
        "source": Source("f", "c", "0" * 64),
    }
    return Call(**{**given, **more})  # type: ignore[arg-type]


def found_in(masker: Masker, of: Call) -> dict[int, list[str]]:
    texts = {turn.number: turn.text for turn in of.turns}
    return {
        number: [texts[number][one.start : one.end] for one in there]
        for number, there in masker.found.items()
    }


def test_a_name_that_was_asked_for_is_known_in_the_whole_call() -> None:
    heard = call(
        "Hello Quillfeather family.",
        "And the patient's full name and date of birth?",
        "Rowan Quillfeather, April ninth.",
        "Thank you. I have QUILLFEATHER here; spell it?",
        "R, O, W, A, N",
        "The rowan tree stands.",
    )
    assert found_in(masker_of(heard), heard) == {
        0: ["Quillfeather"],
        2: ["Rowan Quillfeather", "April ninth"],
        3: ["QUILLFEATHER"],
        4: ["R, O, W, A, N"],
    }


def test_what_attributes_tools_and_labels_give_as_such_is_known() -> None:
    event = Event(
        "e", EventSource.TOOL, "crm.find", {"member_id": "AB1", "plan_name": "Choice"}, turn=0
    )
    heard = call(
        "AB1 is Ada, and Choice is the plan of Mira Stone.",
        attributes={"patient_name": "Ada", "type": "x"},
        speakers={
            "a": Speaker("a", "agent", "Mira Stone"),
            "b": Speaker("b", "rep", "Payer representative"),
        },
        events=(event,),
    )
    masker = masker_of(heard)
    assert found_in(masker, heard) == {0: ["AB1", "Ada", "Mira Stone"]}
    shown = masker.call(heard)
    assert [one.label for one in shown.speakers.values()] == ["████ █████", "Payer representative"]
    assert shown.events[0].args == {"member_id": "███", "plan_name": "Choice"}


FAMILY = "👩‍👩‍👧"
SCRIPTS = [
    # text, known, what is found
    (f"שלום {FAMILY} שרה לוי!", "שרה לוי", "שרה לוי"),
    ("مرحبا يا ليلى حسن شكرا", "ليلى حسن", "ليلى حسن"),
    (
        "e\u0301te\u0301 Jose\u0301 Nu\u0301n\u0303ez e\u0301",
        "José Núñez",
        "Jose\u0301 Nu\u0301n\u0303ez",
    ),
    (f"{FAMILY}My name is Zoe\u0308.", "-", "Zoe\u0308"),
    (f"{FAMILY} 123-45-6789 {FAMILY}", "-", "123-45-6789"),
]


@pytest.mark.parametrize(("text", "known", "there"), SCRIPTS)
def test_places_are_code_points_in_any_script(text: str, known: str, there: str) -> None:
    [one] = masker_of_plain({"patient_name": known}, []).finder.find(text)
    assert text[one.start : one.end] == there


@pytest.mark.parametrize("piece", ["a 1 ", "Aa ", "1 Aa street ", "4111-", "x@", "one ", "(202) "])
def test_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    def seconds(times: int) -> float:
        text = piece * times
        begun = process_time()
        NOBODY.finder.find(text)
        return process_time() - begun

    seconds(1_000)
    few, many = (min(seconds(times) for _ in range(3)) for times in (2_000, 16_000))
    assert many < 8 * 5 * max(few, 0.000_2)


def test_two_that_overlap_are_one_and_named_by_the_graver() -> None:
    [one] = NOBODY.finder.find("DOB 02/04/1980 there")
    assert one == Identifier(4, 14, IdentifierKind.BIRTH)

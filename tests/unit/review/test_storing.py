"""What is stored of a call and its rows reads back as it was, and the digest sees every change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.transcript import (
    Call,
    Event,
    EventSource,
    ListItem,
    Source,
    Speaker,
    Turn,
    TurnKind,
)
from review.core.transcript.storing import (
    attributes_from_plain,
    attributes_to_plain,
    event_from_text,
    event_to_text,
    speakers_from_plain,
    speakers_to_plain,
    transcript_digest,
)

CALL = Call(
    id="c",
    title="t",
    attributes={"type": "x"},
    speakers={"a": Speaker("a", "agent", "A")},
    turns=(Turn(0, "a", "agent", TurnKind.SPEECH, "hello", 0, 10),),
    events=(Event("e", EventSource.TOOL, "find", {"n": Decimal("1.50")}, turn=0),),
    ended=True,
    source=Source("f", "c", "0" * 64),
)

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.dates()
    | st.decimals(allow_nan=False, allow_infinity=False)
)
_LISTS = st.lists(st.builds(ListItem, st.text(), st.lists(st.text()).map(tuple))).map(tuple)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), _SCALARS | _LISTS))
def test_attributes_read_back_as_they_were(attributes: dict[str, object]) -> None:
    plain = attributes_to_plain(attributes)  # type: ignore[arg-type]  # the strategy is wider typed
    back = attributes_from_plain(plain)
    assert back == attributes
    assert {name: type(value) for name, value in back.items()} == {
        name: type(value) for name, value in attributes.items()
    }


@given(st.dictionaries(st.text(), _JSON), _JSON)
def test_events_read_back_as_they_were(args: dict[str, object], result: object) -> None:
    event = Event("e", EventSource.UI, "n", args, result=result)
    assert event_from_text(event_to_text(event)) == (args, result)


def test_numbers_of_events_keep_their_digits() -> None:
    event = replace(CALL.events[0], args={"n": Decimal("1.50"), "m": Decimal("1E+5")})
    args, _ = event_from_text(event_to_text(event))
    assert [str(args["n"]), str(args["m"])] == ["1.50", "1E+5"]


def test_speakers_read_back_in_order() -> None:
    speakers = {"b": Speaker("b", None, "B"), "a": Speaker("a", "agent", "A")}
    assert list(speakers_from_plain(speakers_to_plain(speakers)).items()) == list(speakers.items())


@pytest.mark.parametrize(
    "change",
    [
        lambda call: replace(call, ended=None),
        lambda call: replace(call, attributes={"type": "y"}),
        lambda call: replace(call, attributes={"type": date(2026, 1, 1)}),
        lambda call: replace(call, turns=(replace(call.turns[0], number=1),)),
        lambda call: replace(call, turns=(replace(call.turns[0], text="hello "),)),
        lambda call: replace(call, turns=(replace(call.turns[0], role=None),)),
        lambda call: replace(call, turns=(replace(call.turns[0], speaker="b"),)),
        lambda call: replace(call, turns=(replace(call.turns[0], kind=TurnKind.IVR),)),
        lambda call: replace(call, turns=(replace(call.turns[0], start_ms=None),)),
        lambda call: replace(call, turns=(replace(call.turns[0], end_ms=11),)),
        lambda call: replace(call, turns=(replace(call.turns[0], flags=("overlap",)),)),
        lambda call: replace(call, events=()),
        lambda call: replace(call, events=(replace(call.events[0], args={"n": "1.50"}),)),
        lambda call: replace(call, events=(replace(call.events[0], ok=False),)),
        lambda call: replace(call, events=(replace(call.events[0], result=[]),)),
        lambda call: replace(call, events=(replace(call.events[0], result_turn=3),)),
        lambda call: replace(call, events=(replace(call.events[0], at_ms=3),)),
        lambda call: replace(call, events=(replace(call.events[0], call_id="k"),)),
    ],
)
def test_the_digest_changes_with_all_that_judging_reads(change: Callable[[Call], Call]) -> None:
    assert transcript_digest(change(CALL)) != transcript_digest(CALL)


def test_the_digest_is_not_about_names_and_places() -> None:
    other = replace(CALL, id="other", title="other", source=Source("g", "h", "1" * 64))
    assert transcript_digest(other) == transcript_digest(CALL)


def test_the_digest_is_not_about_the_order_of_keys() -> None:
    first = replace(CALL.events[0], args={"a": 1, "b": 2})
    second = replace(CALL.events[0], args={"b": 2, "a": 1})
    assert transcript_digest(replace(CALL, events=(first,))) == transcript_digest(
        replace(CALL, events=(second,))
    )


def test_a_value_nobody_stores_is_refused() -> None:
    with pytest.raises(TypeError, match="float"):
        event_to_text(replace(CALL.events[0], args={"n": 1.5}))
    with pytest.raises(TypeError, match="dict"):
        attributes_from_plain({"a": {"other": 1}})

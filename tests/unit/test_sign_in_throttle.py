"""When the next attempt to sign in has to wait, and until when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from oipsce_site.administration.throttle import MOST_OF_ADDRESS, MOST_OF_PAIR, WINDOW, refused_until

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def ago(*minutes: float) -> list[datetime]:
    return [NOON - timedelta(minutes=one) for one in minutes]


@pytest.mark.parametrize(
    ("pair", "minutes"),
    [
        ((), None),
        ((1, 2, 3, 4), None),
        # The fifth of the latest five leaves the window: then one more may be tried.
        ((1, 2, 3, 4, 5), 10),
        ((5, 4, 3, 2, 1), 10),
        ((1, 2, 3, 4, 5, 6), 10),
        # What is out of the window does not count, to the very moment.
        ((1, 2, 3, 4, 15), None),
        ((1, 2, 3, 4, 14.5), 0.5),
    ],
)
def test_a_pair_waits_after_five_failures(pair: tuple[float, ...], minutes: float | None) -> None:
    until = None if minutes is None else NOON + timedelta(minutes=minutes)
    assert refused_until(ago(*pair), ago(*pair), NOON) == until


def test_an_address_waits_after_fifty() -> None:
    fifty = [NOON - timedelta(seconds=one) for one in range(MOST_OF_ADDRESS)]
    assert refused_until([], fifty[1:], NOON) is None
    assert refused_until([], fifty, NOON) == min(fifty) + WINDOW


def test_the_later_of_two_waits_counts() -> None:
    pair = ago(1) * MOST_OF_PAIR
    address = [*pair, *ago(10) * MOST_OF_ADDRESS]
    assert refused_until(pair, address, NOON) == NOON + WINDOW - timedelta(minutes=1)

"""The caps of a requirement expression hold exactly, whatever came before in it."""

import pytest

from catalogs.core.requirements import MAX_LENGTH, MAX_NESTING, ExpressionError, parse

DENIALS = "not "
GROUPS = "("


def nested(opening: str, depth: int, before: str) -> str:
    """Write something nested so deep, after something shallow."""
    return f"{before}{opening * depth}a{')' * depth if opening == GROUPS else ''}"


@pytest.mark.parametrize("opening", [DENIALS, GROUPS])
@pytest.mark.parametrize("before", ["", "not a or not a or ", "(a) or (a) or "])
def test_nesting_is_counted_anew_after_each_operand(opening: str, before: str) -> None:
    assert parse(nested(opening, MAX_NESTING, before)).source.startswith(before)
    with pytest.raises(ExpressionError, match="nested more than"):
        parse(nested(opening, MAX_NESTING + 1, before))


def test_the_longest_expression_is_read_and_one_character_more_is_not() -> None:
    longest = "a" + " " * (MAX_LENGTH - 1)
    assert parse(longest).source == longest
    with pytest.raises(ExpressionError, match="may have"):
        parse(longest + " ")

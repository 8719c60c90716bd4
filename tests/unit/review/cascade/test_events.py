"""Tool calls and screen events: where they count, and when they do not (design 1.1, 1.3)."""

from __future__ import annotations

from typing import Any

import pytest

from review.core.rows import NEVER, UNKNOWN
from tests.unit.review.cascade.small import call, catalog, item, phase, read, said, timed

TOOL = {"tool": "crm.match"}
PID = phase("PID", [TOOL], [item("match", TOOL)])
TURNS = (("agent", "one"), ("rep", "two"), ("agent", "three"))
TIMES = ((0, 1000), (2000, 3000), (4000, 5000))


def placed(event: dict[str, Any], **more: Any) -> tuple[object, object]:
    one = timed(call(*TURNS, events=[{"name": "crm.match", **event}], **more), *TIMES)
    found = read(catalog(PID), one).rows["PID"]
    return found.start, found.finish


@pytest.mark.parametrize(
    ("event", "start", "finish"),
    [
        ({"turn": 2}, 2, 2),
        ({"t": 2.5}, 2, 2),
        ({"t": 2.0}, 2, 2),
        ({"t": 3.0}, 2, 2),
        ({"t": 1.5}, 1, 2),
        ({"t": 5.5}, 3, UNKNOWN),
    ],
    ids=["turn", "inside", "at-start", "at-end", "between", "past-the-last"],
)
def test_an_event_is_rounded_against_credit(
    event: dict[str, Any], start: object, finish: object
) -> None:
    assert placed(event) == (start, finish)


def test_an_event_without_a_turn_in_a_call_without_times_counts_nowhere() -> None:
    one = call(*TURNS, events=[{"name": "crm.match", "t": 2.5}])
    found = read(catalog(PID), one).rows["PID"]
    assert (found.start, found.finish) == (UNKNOWN, UNKNOWN)


@pytest.mark.parametrize(
    ("ok", "expected"), [(True, (2, 2)), (False, (2, NEVER)), (None, (2, UNKNOWN))]
)
def test_a_failed_tool_call_is_an_attempt_but_not_the_action(
    ok: bool | None, expected: tuple[object, object]
) -> None:
    raw = {"turn": 2, "ok": ok}
    assert placed(raw) == expected


@pytest.mark.parametrize(
    ("where", "finish"),
    [({"by": "dob"}, 1), ({"by": "name"}, NEVER), ({"drug": 1}, NEVER), ({"drug": True}, 1)],
)
def test_an_event_is_told_apart_by_its_arguments(where: dict[str, Any], finish: object) -> None:
    document = catalog(phase("PID", [TOOL], [item("match", {**TOOL, "where": where})]))
    one = call(
        *TURNS, events=[{"turn": 1, "name": "crm.match", "args": {"by": "dob", "drug": True}}]
    )
    assert read(document, one).rows["PID"].finish == finish


def test_a_screen_event_is_not_a_tool_event_of_the_same_name() -> None:
    document = catalog(phase("PID", [{"ui": "screen.open"}], [item("match", said("x", "rep"))]))
    one = call(*TURNS, events=[{"turn": 1, "name": "screen.open", "source": "tool"}])
    assert read(document, one).rows["PID"].start is NEVER


class TestPerToolCall:
    """One instance per matching tool call, searched between the call before and this one."""

    EACH = {"tool": ["order.write"], "ok": True, "key": "call_id"}
    CONFIRM = phase(
        "CONFIRM", [said("confirm", "agent")], [item("yes", said("yes", "rep"))], for_each=EACH
    )
    WRITE = phase(
        "WRITE",
        [{"tool": "order.write"}],
        [item("done", {"tool": "order.write"})],
        for_each=EACH,
        parents=["CONFIRM"],
        critical_parents={
            "CONFIRM": {
                "rationale": "A write that nobody confirmed cannot be taken back.",
                "sources": ["SITE"],
            }
        },
    )

    def judged(self, *turns: tuple[str, str], writes: list[dict[str, Any]]) -> Any:
        events = [{"name": "order.write", **write} for write in writes]
        return read(catalog(self.CONFIRM, self.WRITE), call(*turns, events=events))

    def test_each_write_needs_its_own_confirmation(self) -> None:
        filled = self.judged(
            ("agent", "confirm one?"), ("rep", "yes"), ("agent", "writing"), ("agent", "and again"),
            writes=[{"turn": 3, "call_id": "a"}, {"turn": 4, "call_id": "b"}],
        )  # fmt: skip
        keys = [(one.key, one.finish) for one in filled.rows["CONFIRM"].instances]
        assert keys == [("a", 2), ("b", NEVER)]
        edge = filled.decision.edges[0]
        assert (edge.ok, edge.item, edge.code.value) == (False, "b", "PARENT_NEVER_FINISHED")

    def test_two_confirmed_writes_are_safe(self) -> None:
        filled = self.judged(
            ("agent", "confirm one?"), ("rep", "yes"), ("agent", "writing"),
            ("agent", "confirm two?"), ("rep", "yes"), ("agent", "writing"),
            writes=[{"turn": 3, "call_id": "a"}, {"turn": 6, "call_id": "b"}],
        )  # fmt: skip
        assert filled.decision.edges[0].ok is True

    def test_calls_that_share_an_id_are_told_apart(self) -> None:
        """Logs of real agents reuse ids: one confirmed write must not stand for the other."""
        filled = self.judged(
            ("agent", "confirm one?"), ("rep", "yes"), ("agent", "writing"), ("agent", "and again"),
            writes=[{"turn": n, "call_id": "a", "id": f"e{n}"} for n in (3, 4)],
        )  # fmt: skip
        for phase_id in ("CONFIRM", "WRITE"):
            assert [one.key for one in filled.rows[phase_id].instances] == ["a", "e4"]
        starts = [one.start for one in filled.rows["WRITE"].instances]
        assert starts == [3, 4]
        assert (filled.decision.edges[0].ok, filled.decision.edges[0].item) == (False, "e4")

    def test_a_failed_write_uses_up_no_confirmation(self) -> None:
        filled = self.judged(
            ("agent", "confirm one?"), ("rep", "yes"), ("agent", "writing"), ("agent", "and again"),
            writes=[{"turn": 3, "call_id": "a", "ok": False}, {"turn": 4, "call_id": "b"}],
        )  # fmt: skip
        assert [one.key for one in filled.rows["CONFIRM"].instances] == ["b"]
        assert filled.decision.edges[0].ok is True

    def test_a_failed_write_owes_nothing(self) -> None:
        filled = self.judged(
            ("agent", "writing"), ("rep", "hm"), writes=[{"turn": 1, "call_id": "a", "ok": False}]
        )
        assert filled.rows["WRITE"].instances == ()
        assert [outcome.code.value for outcome in filled.decision.phases] == [
            "NO_ITEMS",
            "NO_ITEMS",
        ]


class TestPerListItem:
    """One instance per drug; a turn that names none speaks of the one named last."""

    DRUGS = {
        "drugs": [{"id": "fic", "names": ["Fictorol"]}, {"id": "ima", "names": ["Imaginumab"]}]
    }
    TIER = phase(
        "TIER",
        [said("tier", "agent")],
        [item("told", said("tier (two|four)", "rep"))],
        for_each="call.drugs",
    )

    def instances(
        self, *turns: tuple[str, str], **more: Any
    ) -> dict[str | None, tuple[object, object]]:
        more = {"attributes": self.DRUGS, **more}
        found = read(catalog(self.TIER), call(*turns, **more)).rows["TIER"]
        return {one.key: (one.start, one.finish) for one in found.instances or ()}

    def test_the_name_is_carried_forward(self) -> None:
        assert self.instances(
            ("agent", "Which tier is Fictorol?"), ("rep", "That one is tier two."),
            ("agent", "And the tier of Imaginumab?"), ("rep", "tier four"),
        ) == {"fic": (1, 2), "ima": (3, 4)}  # fmt: skip

    def test_one_turn_may_answer_for_both(self) -> None:
        found = self.instances(
            ("agent", "Tier, tier of Fictorol and Imaginumab?"),
            ("rep", "Fictorol is tier two, Imaginumab tier four."),
        )
        assert [finish for _, finish in found.values()] == [2, 2]

    def test_before_any_name_a_hit_belongs_to_all(self) -> None:
        assert self.instances(("agent", "which tier?"), ("rep", "tier two for both")) == {
            "fic": (1, 2),
            "ima": (1, 2),
        }

    def test_a_name_inside_a_word_is_not_a_name(self) -> None:
        found = self.instances(
            ("agent", "tier of Imaginumab?"), ("rep", "Fictorolium is tier two."),
        )  # fmt: skip
        assert found["ima"] == (1, 2)
        assert found["fic"] == (NEVER, NEVER)

    def test_a_call_without_the_list_cannot_be_credited(self) -> None:
        filled = read(catalog(self.TIER), call(("agent", "which tier?"), ("rep", "tier two")))
        assert filled.rows["TIER"].finish is UNKNOWN
        assert "UNKNOWN_FACT" in [flag.code.value for flag in filled.flags["TIER"]]

    def test_an_empty_list_owes_nothing(self) -> None:
        filled = read(catalog(self.TIER), call(("agent", "hi"), attributes={"drugs": []}))
        assert filled.decision.phases[0].code.value == "NO_ITEMS"
        assert filled.decision.coverage.value == "undetermined"

    def test_an_event_names_its_item_in_an_argument(self) -> None:
        tool = {"tool": "crm.match"}
        document = catalog(phase("TIER", [tool], [item("told", tool)], for_each="call.drugs"))
        events = [{"turn": 1, "name": "crm.match", "args": {"drug": "ima"}}]
        found = read(document, call(("rep", "hm"), events=events, attributes=self.DRUGS)).rows[
            "TIER"
        ]
        assert {one.key: one.finish for one in found.instances or ()} == {"fic": NEVER, "ima": 1}

"""Random calls for the reference and for the product alike: plain dicts, one `random.Random` in.

A call is drawn in a mood, so that each verdict is common: calls that went well, calls with faults,
calls with things unknown, and wild ones in which anything goes.
"""

from random import Random
from typing import Any

Plain = dict[str, Any]

NEVER = "never"
MOODS = ("well", "well", "faults", "unknowns", "wild")
STATES = ("passed", "failed", "started", "finished", "required")
FACTS = ("restrictions", "dispute")
KEYS = ("d1", "d2", "d3")
LAST_TURN = 30


def random_call(draw: Random, *, two_valued: bool = False) -> Plain:
    """Draw a call; `two_valued` leaves out all that the paper's formula does not know."""
    mood = draw.choice(("well", "faults")) if two_valued else draw.choice(MOODS)
    names = [f"P{k}" for k in range(draw.randint(1, 5))]
    ended = True if two_valued else draw.choice([True] * 12 + [False, None])
    phases = [_phase(draw, names[:k], name, two_valued) for k, name in enumerate(names)]
    keys = draw.sample(KEYS, draw.randint(1, 3))
    return {
        "ended": ended,
        "facts": {name: _truth(draw, mood) for name in FACTS},
        "sources": {name: draw.choice(names[: max(1, len(names) - 1)]) for name in FACTS[:1]},
        "attributes": {"kind": draw.choice(["ai", "person", None if mood == "wild" else "ai"])},
        "phases": phases,
        "edges": _edges(draw, phases, two_valued),
        "rows": _rows(draw, phases, mood, keys, ended=ended, two_valued=two_valued),
    }


def _chance(draw: Random, percent: int) -> bool:
    return draw.randrange(100) < percent


def _truth(draw: Random, mood: str) -> bool | None:
    if mood in ("unknowns", "wild") and _chance(draw, 40):
        return None
    return draw.choice([True, False])


def _phase(draw: Random, earlier: list[str], name: str, two_valued: bool) -> Plain:
    required: Any = draw.choice(["always", "always", "optional", "tree"])
    if required == "tree":
        required = random_tree(draw, earlier, 2)
    return {
        "id": name,
        "required": required,
        "volunteer": not two_valued and _chance(draw, 50),
        "per_item": not two_valued and _chance(draw, 35),
    }


def random_tree(draw: Random, phases: list[str], depth: int) -> Any:
    """Draw a requirement over the phases given; facts only where their source comes earlier."""
    if depth and _chance(draw, 60):
        kind = draw.choice(["not", "and", "or"])
        width = 1 if kind == "not" else draw.randint(2, 3)
        return (kind, *(random_tree(draw, phases, depth - 1) for _ in range(width)))
    kinds = ["phase", "phase", "phase", "attr", "dispute", "const"] if phases else ["attr", "const"]
    kind = draw.choice(kinds)
    if kind == "phase":
        return ("phase", draw.choice(phases), draw.choice(("passed", *STATES)))
    if kind == "attr":
        return ("attr=", "kind", draw.choice(["ai", "person"]))
    return ("fact", "dispute") if kind == "dispute" else ("const", draw.choice([True, False]))


def _edges(draw: Random, phases: list[Plain], two_valued: bool) -> list[Plain]:
    edges = []
    for parent in range(len(phases)):
        for child in range(parent + 1, len(phases)):
            if not _chance(draw, 35):
                continue
            both = phases[parent]["per_item"] and phases[child]["per_item"]
            when = not two_valued and _chance(draw, 30)
            names = [phase["id"] for phase in phases]
            edges.append(
                {
                    "parent": phases[parent]["id"],
                    "child": phases[child]["id"],
                    "same_turn": not two_valued and _chance(draw, 35),
                    "per_item": both and _chance(draw, 60),
                    "when": random_tree(draw, names, 1) if when else None,
                }
            )
    return edges


def _rows(
    draw: Random,
    phases: list[Plain],
    mood: str,
    keys: list[str],
    *,
    ended: bool | None,
    two_valued: bool,
) -> Plain:
    rows: Plain = {}
    at = 0
    for phase in phases:
        at += draw.randint(0 if mood == "wild" else 1, 4)
        if mood == "wild" and _chance(draw, 6):
            continue
        row = random_row(draw, mood, at, two_valued=two_valued)
        if phase["per_item"]:
            row["instances"] = [
                {**random_row(draw, mood, at + k), "key": key}
                for k, key in enumerate(keys)
                if mood == "well" or _chance(draw, 85)
            ]
            if not row["instances"]:
                row.update(random_row(draw, mood, at), instances=[])
                row["s"], row["e"], row["v"] = draw.choice(
                    [(NEVER, NEVER, False), (None, None, None)]
                )
        rows[phase["id"]] = row
        at = row["e"] if isinstance(row["e"], int) and mood in ("well", "unknowns") else at
    if ended is not True:
        _clear(draw, rows)
    return rows


def _clear(draw: Random, rows: Plain) -> None:
    """Give open rows of a running call the turn up to which nothing was found."""
    for row in rows.values():
        for one in [row, *(row["instances"] or [])]:
            # An asserted NEVER stands for "not so far" here.
            if None in (one["s"], one["e"]) or NEVER in (one["s"], one["e"]):
                one["clear"] = draw.choice([None, 5, 12, LAST_TURN])


def random_row(draw: Random, mood: str, at: int, *, two_valued: bool = False) -> Plain:
    """Draw a row that starts about turn `at`."""
    s: Any = at
    e: Any = at + draw.randint(0, 3)
    v: bool | None = True
    row = blank_row()
    if mood in ("faults", "wild") and _chance(draw, 25):
        s, e, v = draw.choice([(s, NEVER, False), (NEVER, NEVER, False), (max(0, s - 5), e, True)])
    if mood in ("well", "unknowns") and _chance(draw, 3):
        s, e, v = NEVER, NEVER, False
    if two_valued:
        return {**row, "s": s, "e": e, "v": v}
    if mood == "unknowns" and _chance(draw, 30):
        s, e, v = draw.choice([(None, e, v), (s, None, None), (None, None, None), (s, e, None)])
    if mood == "wild":
        s, e, v = _wild(draw, s, e, v)
    row.update(s=s, e=e, v=v)
    if mood == "faults" or mood == "wild":
        row["revoked"] = draw.randint(0, 20) if v is False and _chance(draw, 40) else None
    if mood in ("unknowns", "wild"):
        row["evidence"] = _chance(draw, 92)
        row["volunteered"] = _chance(draw, 30)
        row["contradicted"] = draw.randint(0, 20) if _chance(draw, 5) else None
        row["s_ms"], row["e_ms"] = draw.choice([None, 4_000, 9_000]), draw.choice([None, 5_000])
        row["s_doubt"], row["e_doubt"] = _chance(draw, 6), _chance(draw, 6)
    return row


def _wild(draw: Random, s: Any, e: Any, v: Any) -> tuple[Any, Any, Any]:
    if _chance(draw, 12):
        s = draw.choice([None, NEVER, s + 3 if isinstance(s, int) else 3])
    if _chance(draw, 12):
        e = draw.choice([None, NEVER, draw.randint(0, 20)])
    if _chance(draw, 12):
        v = draw.choice([True, False, None])
    return s, e, v


def blank_row() -> Plain:
    """Return a row with evidence and nothing else."""
    return {
        **dict.fromkeys(("s", "e", "v", "revoked", "contradicted", "clear", "s_ms", "e_ms", "key")),
        "instances": None,
        "evidence": True,
        "volunteered": False,
        "s_doubt": False,
        "e_doubt": False,
    }

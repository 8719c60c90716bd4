"""An independent evaluator of calls, over plain dicts and tuples, written from the method page.

It is slow and plain on purpose: no caching, no early way out, every rule where the page states it.
None stands for unknown everywhere; the word "never" for a turn that does not exist.

A call is a dict:
    ended       True, False or None
    facts       name -> value or None;  sources  name of a fact -> the phase that yields it
    attributes  name -> value or None
    phases      [{id, required, volunteer, per_item}]  required: "always", "optional" or a tree
    edges       [{parent, child, same_turn, per_item, when}]  when: None or a tree
    rows        phase id -> row (a phase may have none)
A row is a dict: s, e, v, evidence, volunteered, revoked, contradicted, clear, s_ms, e_ms, s_doubt,
e_doubt, key, instances (None or a list of rows without instances).
A tree is a tuple: ("const", b) ("phase", id, state) ("fact", name) ("attr=", name, value)
("not", t) ("and", t, ...) ("or", t, ...).
"""

from typing import Any

NEVER = "never"
Plain = dict[str, Any]

# --- Kleene ---------------------------------------------------------------------------------------


def k_not(a: bool | None) -> bool | None:
    """Deny."""
    return None if a is None else not a


def k_and(terms: list[bool | None]) -> bool | None:
    """Conjoin: one false decides."""
    if any(term is False for term in terms):
        return False
    return None if any(term is None for term in terms) else True


def k_or(terms: list[bool | None]) -> bool | None:
    """Disjoin, by De Morgan."""
    return k_not(k_and([k_not(term) for term in terms]))


# --- Rows that can be believed --------------------------------------------------------------------


def fault(row: Plain, volunteer: bool) -> str | None:
    """S4, S7, S8, S9: what makes one row (or one instance) unusable."""
    s, e, v = row["s"], row["e"], row["v"]
    has_finish = e is not None and e != NEVER
    early = has_finish and (s == NEVER or (s is not None and e < s))
    if early and not (row["volunteered"] and volunteer):
        return "E_BEFORE_S"
    reversed_later = row["revoked"] is not None or row["contradicted"] is not None
    if v is False and has_finish and not reversed_later:
        return "V0_WITH_FINISH"
    if v is True and not has_finish:
        return "V1_WITHOUT_FINISH"
    if v is True and not row["evidence"]:
        return "NO_EVIDENCE"
    return None


def believe(row: Plain | None, volunteer: bool, ended: bool) -> Plain:
    """Read a row as far as it can be believed: s, e, v and the code of each that is unknown."""
    if row is None:
        return {
            **dict.fromkeys(("s", "e", "v", "at_end", "revoked", "clear", "s_ms", "e_ms")),
            "s_doubt": False,
            "e_doubt": False,
            "why_v": "ROW_MISSING",
            "why_e": "PARENT_FINISH_UNKNOWN",
            "why_s": "CHILD_START_UNKNOWN",
        }
    if row["instances"]:
        return fold([believe(one, volunteer, ended) for one in row["instances"]])
    found = dict(row)
    found.update(why_v="VERDICT_UNKNOWN", why_e="PARENT_FINISH_UNKNOWN")
    found.update(why_s="CHILD_START_UNKNOWN")
    wrong = fault(row, volunteer)
    if row["contradicted"] is not None:
        found.update(e=None, v=None, clear=None, why_v="CONTRADICTED", why_e="CONTRADICTED")
    elif wrong is not None:
        found.update(e=None, v=None, why_v=wrong, why_e=wrong, clear=None)
    if wrong == "E_BEFORE_S":
        found.update(s=None, why_s="E_BEFORE_S", clear=None)
    found["at_end"] = found["v"]
    if not ended:  # only an ended call has NEVER
        found.update({end: None for end in ("s", "e") if found[end] == NEVER})
        if found["v"] is False:
            found.update(v=None, why_v="INCOMPLETE_CALL")
    return found


def fold(parts: list[Plain]) -> Plain:
    """Roll instances up: s = min, e = max, v = and; unknown where an unknown one matters."""
    known = [part for part in parts if isinstance(part["s"], int)]
    first = min(known, key=lambda part: part["s"]) if known else None
    later = [p for p in parts if p["s"] is None]
    hidden = [p for p in later if first is None or p["clear"] is None or p["clear"] < first["s"]]
    if first is None:
        s: Any = None if later else NEVER
    else:
        s = None if hidden else first["s"]
    last = max(
        (p for p in parts if isinstance(p["e"], int)), key=lambda part: part["e"], default=None
    )
    if any(p["e"] == NEVER for p in parts):
        e: Any = NEVER
    else:
        e = None if last is None or any(p["e"] is None for p in parts) else last["e"]
    v = k_and([p["v"] for p in parts])
    open_parts = [p for p in parts if p["s"] is None or p["e"] is None]
    clears = [p["clear"] for p in open_parts]
    start, finish = (first if isinstance(s, int) else None), (last if isinstance(e, int) else None)
    return {
        "s": s,
        "e": e,
        "v": v,
        "at_end": k_and([p["at_end"] for p in parts]),
        "revoked": min((p["revoked"] for p in parts if p["revoked"] is not None), default=None),
        "clear": min(clears) if clears and None not in clears else None,
        "s_ms": start["s_ms"] if start else None,
        "e_ms": finish["e_ms"] if finish else None,
        "s_doubt": bool(start and start["s_doubt"]),
        "e_doubt": bool(finish and finish["e_doubt"]),
        "why_v": None,
        "why_e": None,
        "why_s": None,
    }


# --- Requirements ---------------------------------------------------------------------------------


def phase_state(
    call: Plain, phase: str, state: str, beliefs: Plain, owed: dict[str, bool | None]
) -> bool | None:
    """What `ID passed | failed | started | finished | required` is worth."""
    if state == "required":
        return owed[phase]
    seen = beliefs[phase]
    passed: bool | None = seen["v"]
    started = None if seen["s"] is None else seen["s"] != NEVER
    finished = None if seen["e"] is None else seen["e"] != NEVER
    return {
        "passed": passed,
        "started": started,
        "finished": finished,
        "failed": k_and([k_not(passed), started]),
    }[state]


def value_of(call: Plain, tree: Any, beliefs: Plain, owed: dict[str, bool | None]) -> bool | None:
    """Evaluate a requirement."""
    kind = tree[0]
    if kind == "const":
        return bool(tree[1])
    if kind == "phase":
        return phase_state(call, tree[1], tree[2], beliefs, owed)
    if kind == "fact":
        got = call["facts"].get(tree[1])
        return got if isinstance(got, bool) else None
    if kind == "attr=":
        got = call["attributes"].get(tree[1])
        return None if got is None else got == tree[2]
    parts = [value_of(call, part, beliefs, owed) for part in tree[1:]]
    return k_not(parts[0]) if kind == "not" else k_and(parts) if kind == "and" else k_or(parts)


def reads(call: Plain, tree: Any) -> list[str]:
    """Which phases a tree reads, by name or through a fact."""
    if isinstance(tree, str):
        return []
    if tree[0] == "phase":
        return [tree[1]]
    if tree[0] == "fact":
        return [call["sources"][tree[1]]] if tree[1] in call["sources"] else []
    return [name for part in tree[1:] if isinstance(part, tuple) for name in reads(call, part)]


def required(call: Plain, beliefs: Plain) -> dict[str, bool | None]:
    """Decide which phases are owed, each after all that it reads."""
    owed: dict[str, bool | None] = {}
    rules = {rule["id"]: rule for rule in call["phases"]}

    def settle(name: str) -> None:
        rule = rules[name]
        if name in owed:
            return
        tree = rule["required"]
        for other in reads(call, tree):
            settle(other)
        base = tree == "always" if isinstance(tree, str) else value_of(call, tree, beliefs, owed)
        row = call["rows"].get(name)
        if rule["per_item"] and row is not None and row["instances"] == []:
            # No item at all: nothing is owed. Not known whether there are items: not known either.
            base = k_and([base, False if row["s"] == NEVER else None])
        owed[name] = base

    for name in rules:
        settle(name)
    return owed


# --- Edges ----------------------------------------------------------------------------------------


def ordered(edge: Plain, parent: Plain, child: Plain) -> tuple[bool | None, str | None]:
    """OK(i -> j) of two believed rows, with its code (None: a roll-up hides which)."""
    s, e = child["s"], parent["e"]
    if s == NEVER:
        return True, "CHILD_NEVER_STARTED"
    if s is None:
        return None, child["why_s"]
    if e == NEVER:
        return False, "PARENT_NEVER_FINISHED"
    if e is None:
        still_open = parent["clear"] is not None and s <= parent["clear"]
        return (False, "PARENT_NOT_FINISHED_YET") if still_open else (None, parent["why_e"])
    return compared(edge, parent, child)


def compared(edge: Plain, parent: Plain, child: Plain) -> tuple[bool | None, str]:
    """Compare a finish and a start that are both known."""
    s, e = child["s"], parent["e"]
    if e > s:
        return False, "STARTED_BEFORE_PARENT_FINISHED"
    if e == s and not edge["same_turn"]:
        return False, "TIE_STRICT"
    if parent["revoked"] is not None and parent["revoked"] <= s:
        return False, "PARENT_ALREADY_CONTRADICTED"
    if parent["at_end"] is None:
        return None, "PARENT_VERDICT_UNKNOWN"
    overlap = None not in (parent["e_ms"], child["s_ms"]) and child["s_ms"] < parent["e_ms"]
    if e < s and overlap:
        return None, "TIMING_OVERLAP"
    if parent["e_doubt"] or child["s_doubt"]:
        return None, "ORDER_DOUBTFUL"
    return True, "TIE_ALLOWED" if e == s else "SAFE"


def judge(
    call: Plain, edge: Plain, beliefs: Plain, owed: dict[str, bool | None]
) -> tuple[bool | None, set[str | None]]:
    """Judge an edge: ok and the codes it may carry."""
    ended = call["ended"] is True
    binds = True if edge["when"] is None else value_of(call, edge["when"], beliefs, owed)
    if binds is False:
        return True, {"WAIVED"}
    parent, child = call["rows"].get(edge["parent"]), call["rows"].get(edge["child"])
    both = edge["per_item"] and child and child["instances"] and parent
    if both and parent["instances"] is not None:
        policy = {rule["id"]: rule["volunteer"] for rule in call["phases"]}
        same = {one["key"]: one for one in parent["instances"]}
        results = [
            ordered(
                edge,
                believe(same.get(one["key"]), policy[edge["parent"]], ended),
                believe(one, policy[edge["child"]], ended),
            )
            for one in child["instances"]
        ]
    else:
        results = [ordered(edge, beliefs[edge["parent"]], beliefs[edge["child"]])]
    ok = k_and([result[0] for result in results])
    if binds is None and ok is not True:
        return None, {"EDGE_CONDITION_UNKNOWN"}
    return ok, {code for got, code in results if got is ok}


# --- The call -------------------------------------------------------------------------------------


def term(call: Plain, phase: str, beliefs: Plain, owed: dict[str, bool | None]) -> Any:
    """One phase's term of Coverage with its code (None: a roll-up hides which)."""
    seen, need = beliefs[phase], owed[phase]
    if need is False:
        return True, None
    if seen["v"] is True:
        return True, "PASSED"
    if need is None:
        return None, "REQUIRED_UNKNOWN"
    if seen["v"] is False:
        return False, "REQUIRED_FAILED"
    return None, seen["why_v"]


def outcome(value: bool | None) -> str:
    """Name a truth value as a verdict."""
    return {True: "pass", False: "fail", None: "undetermined"}[value]


def decide(call: Plain) -> Plain:
    """Judge a call: the three verdicts, every phase's term and every edge."""
    ended = call["ended"] is True
    beliefs = {
        rule["id"]: believe(call["rows"].get(rule["id"]), rule["volunteer"], ended)
        for rule in call["phases"]
    }
    owed = required(call, beliefs)
    terms = {rule["id"]: term(call, rule["id"], beliefs, owed) for rule in call["phases"]}
    edges = [judge(call, edge, beliefs, owed) for edge in call["edges"]]
    coverage = k_and([ok for ok, _ in terms.values()])
    if coverage and (not any(owed[name] is True for name in owed) or not ended):
        coverage = None  # nothing is surely owed, or more may still come
    order = k_and([ok for ok, _ in edges])
    return {
        "required": owed,
        "terms": terms,
        "edges": edges,
        "coverage": outcome(coverage),
        "order_safe": outcome(order),
        "call_success": outcome(k_and([coverage, order])),
    }

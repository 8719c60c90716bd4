"""The table of keys: no key twice, each act known to the handler, and none but those."""

from __future__ import annotations

import re
from pathlib import Path

from review.presenters.keys import FINISH, KEYS, bindings

HANDLER = (Path(__file__).parents[4] / "static" / "js" / "call" / "page.js").read_text("utf-8")


def test_no_key_does_two_things() -> None:
    assert len({one.key for one in KEYS}) == len({one.act for one in KEYS}) == len(KEYS)
    assert all(len(one.key) == 1 and one.key not in " =" for one in KEYS)


def test_c25_the_handler_knows_each_act_of_the_table_and_no_other() -> None:
    table = HANDLER[HANDLER.index("const ACTS = {") : HANDLER.index("// --- the handler")]
    known = set(re.findall(r'^    "?([a-z-]+)"?(?:,|: )', table, re.MULTILINE))
    assert known == {one.act for one in KEYS} | {FINISH.act}


def test_who_may_not_decide_has_no_key_that_does() -> None:
    assert "a=confirm" in bindings(decides=True)
    assert "a=confirm" not in bindings(decides=False)
    assert "j=next-row" in bindings(decides=False)

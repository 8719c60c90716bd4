"""Every way in which an audit is spoiled ends in a refusal with its own code, and never otherwise.

The numbers are those of the design's list: 1 to 26 somebody outside, 27 to 59 somebody inside who
holds the export key, 60 and 61 one who also holds the log key. What follows goes beyond the list.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from oipsce_site.signing.core.envelope import STATEMENT_TYPE, seal_envelope
from oipsce_site.signing.core.keys import key_id
from oipsce_site.signing.core.plain import write_json, write_time
from oipsce_site.signing.core.refusals import Refused
from review.core.audit.names import Profile
from review.core.verify.bundle import Verified
from tests.unit.review.audit.histories import held, old_heads_too, rewritten, smaller_log
from tests.unit.review.audit.spoiling import (
    CALL,
    CHAIN,
    RECORD,
    SECOND,
    THIRD,
    TRANSCRIPT,
    Files,
    chain_lines,
    drop,
    edit,
    edit_payload,
    edit_signoff,
    files_of,
    inside,
    outside,
    packed,
    put,
    raw_zip,
    rehashed,
    replace_in,
    shown,
    swap,
)
from tests.unit.review.audit.world import SECRET, audit, verify, world
from tests.unit.signing.rings import NOON, private, public, ring

MANIFEST, KEYRING = "manifest.dsse.json", "keys/keyring.dsse.json"
HALF = b'"call":"\\ud800'
SHEET, OTHER_SHEET = f"calls/{CALL}/report.pdf", f"calls/{SECOND}/report.pdf"
CHECKPOINT, HEADS, UNIVERSE = "proofs/checkpoint.txt", "proofs/heads.json", "universe.json"


class Case(NamedTuple):
    """What is spoiled, how, and the codes that may answer."""

    name: str
    make: Callable[[], bytes]
    code: str
    asked: dict[str, Any] = {}


def envelope(change: Callable[[dict[str, Any]], object]) -> Callable[[], bytes]:
    return lambda: outside(edit(MANIFEST, change))


def signature(**changes: str) -> Callable[[], bytes]:
    return envelope(lambda value: value["signatures"][0].update(changes))


def unpadded() -> bytes:
    """Return the manifest's signature with another spelling of the same bytes."""
    value = json.loads(files_of(audit())[MANIFEST])["signatures"][0]["sig"]
    at = value.index("=") - 1
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    other = letters[letters.index(value[at]) ^ 1]
    return signature(sig=value[:at] + other + value[at + 1 :])()


def without_call(call: str, *, heads: bool = False) -> Callable[[], bytes]:
    """Leave a call out of an audit that says it is whole."""

    def act(files: Files, predicate: dict[str, Any]) -> None:
        drop(*(f"calls/{call}/{name}" for name in FILES_OF_A_CALL))(files)
        predicate["calls"].remove(call)
        predicate["universe"]["included"] -= 1
        edit(UNIVERSE, lambda value: value["calls"].pop(call))(files)
        if heads:
            edit(HEADS, lambda value: _drop_head(value, call))(files)

    return lambda: inside(act)


FILES_OF_A_CALL = ("chain.jsonl", "record.json", "report.pdf", "transcript.json")


def _drop_head(value: dict[str, Any], call: str) -> None:
    value["heads"] = [head for head in value["heads"] if head[0] != call]


def invented(files: Files, predicate: dict[str, Any]) -> None:
    name = "11111111-1111-4111-8111-0000000000ff"
    for one in FILES_OF_A_CALL:
        files[f"calls/{name}/{one}"] = files[f"calls/{THIRD}/{one}"].replace(
            THIRD.encode(), name.encode()
        )
    predicate["calls"].append(name)
    predicate["universe"]["included"] += 1
    edit(UNIVERSE, lambda value: value["calls"].update({name: "included"}))(files)


def set_row(**changes: Any) -> Callable[[Any], None]:
    return lambda value: value["rows"][0].update(changes)


def set_all_outcomes(value: dict[str, Any]) -> None:
    value["outcome"].update(order_safe="pass", call_success="pass")


def body_edited(lines: list[dict[str, Any]]) -> None:
    body = json.loads(base64.b64decode(lines[2]["body"]))
    body["facts"]["evaluation_digest"] = "0" * 64
    lines[2]["body"] = base64.b64encode(write_json(body)).decode()


def other_fact(entries: list[dict[str, Any]]) -> None:
    entries[-1]["body"]["facts"]["meaning"] = "authored"


def later(entries: list[dict[str, Any]]) -> None:
    entries[1]["at_us"] += 1


def renamed(record: dict[str, Any]) -> None:
    record["signer"]["printed_name"] = "Somebody Else"


def one_component(record: dict[str, Any]) -> None:
    record["components"] = ["password"]


def after_signing(entries: list[dict[str, Any]]) -> None:
    decided = json.loads(json.dumps(entries[3]))
    decided["body"]["facts"].update(number=2, decision="SET_FINISH")
    decided["at_us"] = entries[-1]["at_us"] + 1
    entries.append(decided)


def transplanted(files: Files, *_: object) -> None:
    mine = files[CHAIN].splitlines(keepends=True)
    theirs = files[f"calls/{SECOND}/chain.jsonl"].splitlines(keepends=True)
    files[CHAIN] = b"".join([*mine[:-1], theirs[-1]])


def created(at: timedelta) -> Callable[..., None]:
    def act(_: Files, predicate: dict[str, Any]) -> None:
        predicate["created_at"] = write_time(NOON + at)

    return act


def predicate(**changes: Any) -> Callable[[], bytes]:
    return lambda: inside(lambda _, said: said.update(changes))


def catalog_of(files: Files) -> str:
    found: str = json.loads(files[RECORD])["catalog"]
    return found


def lax_catalog(files: Files, *_: object) -> None:
    """Drop the critical edges of the first call's catalog, under its old name."""
    name = f"catalogs/{catalog_of(files)}.json"

    def relax(value: dict[str, Any]) -> None:
        for phase in value["phases"]:
            phase.pop("critical_parents", None)

    edit(name, relax)(files)


def other_catalog(files: Files, *_: object) -> None:
    """Judge the first call by the second one's catalog."""
    other = json.loads(files[f"calls/{SECOND}/record.json"])["catalog"]
    edit(RECORD, lambda value: value.update(catalog=other))(files)


def old_checkpoint(files: Files, *_: object) -> None:
    files[CHECKPOINT] = held()


def bit(name: str) -> Callable[[], bytes]:
    def act(files: Files) -> None:
        data = bytearray(files[name])
        data[len(data) // 2] ^= 1
        files[name] = bytes(data)

    return lambda: outside(act)


def unsorted_heads(value: dict[str, Any]) -> None:
    value["heads"].reverse()


OUTSIDE = [
    Case("1 verdict flipped", lambda: outside(edit(RECORD, set_row(verdict="fail"))), "E-DIGEST"),
    Case("2 call success flipped", lambda: outside(edit(RECORD, set_all_outcomes)), "E-DIGEST"),
    *(Case(f"3 a bit of {name}", bit(name), "E-DIGEST") for name in (RECORD, CHAIN, TRANSCRIPT)),
    *(
        Case(f"3 a bit of {name}", bit(name), "E-DIGEST")
        for name in (
            *("README.txt", "report.html", "report.csv", "report.pdf", SHEET),
            *(HEADS, CHECKPOINT, UNIVERSE),
        )
    ),
    Case("4 a space added", lambda: outside(replace_in(RECORD, b"}", b"} ")), "E-DIGEST"),
    Case("5 a file deleted", lambda: outside(drop(RECORD)), "E-MISSING"),
    Case("6 a file added", lambda: outside(put("calls/extra.json", b"{}")), "E-EXTRA"),
    Case(
        "7 two records swapped",
        lambda: outside(swap(RECORD, f"calls/{SECOND}/record.json")),
        "E-DIGEST",
    ),
    Case("8 a file renamed", lambda: outside(swap_name), "E-EXTRA"),
    Case(
        "9 report edited",
        lambda: outside(replace_in("report.html", b"audit", b"AUDIT")),
        "E-DIGEST",
    ),
    Case("10 payload edited", lambda: outside(edit_payload(b"Regulator", b"Somebody!")), "E-SIG"),
    Case(
        "11 payload type", envelope(lambda v: v.update(payloadType="text/plain")), "E-PAYLOADTYPE"
    ),
    Case("12 signatures stripped", envelope(lambda v: v.update(signatures=[])), "E-ENVELOPE"),
    Case("13 unknown key", lambda: inside(nothing, signer="attacker"), "E-SIG"),
    Case("14 attacker's keyring", lambda: inside(attackers_ring, signer="attacker"), "E-ROOT"),
    Case(
        "15 trusted id, foreign signature",
        signature(sig=base64.b64encode(b"x" * 64).decode()),
        "E-SIG",
    ),
    Case("16 keyring edited", lambda: outside(edit_ring), "E-SIG"),
    Case("17 duplicate key", lambda: outside(duplicate_key), "E-DUPKEY"),
    Case("18 duplicate member", lambda: raw_zip(RECORD), "E-ZIPDUP"),
    Case("19 a name that differs in case", lambda: raw_zip("REPORT.html"), "E-ZIPDUP"),
    Case("20 a name upwards", lambda: raw_zip("../x"), "E-ZIPNAME"),
    Case("20 an absolute name", lambda: raw_zip("/etc/x"), "E-ZIPNAME"),
    Case("21 a backslash", lambda: raw_zip("data\\x"), "E-ZIPNAME"),
    Case("22 a link", lambda: raw_zip("z", external_attr=0o120777 << 16), "E-ZIPLINK"),
    Case("23 a bomb", lambda: raw_zip("z", compress_type=8, data=b"\0" * 10_000_000), "E-ZIPBOMB"),
    Case("24 truncated", lambda: audit()[:-200], "E-ZIP"),
    Case("25 key hint", signature(keyid=key_id(public("old export"))), "E-KEYHINT"),
    Case("26 base64", unpadded, "E-B64"),
]


def nothing(*_: object) -> None:
    return


def swap_name(files: Files) -> None:
    files[f"calls/{CALL}/records.json"] = files.pop(RECORD)


def attackers_ring(files: Files, *_: object) -> None:
    forged = replace(ring().keyring, root=public("attacker"))
    files[KEYRING] = replace(ring(), keyring=forged, root=private("attacker")).data


def edit_ring(files: Files) -> None:
    value = json.loads(files[KEYRING])
    payload = base64.b64decode(value["payload"]).replace(b'"witness"', b'"export"')
    value["payload"] = base64.b64encode(payload).decode()
    files[KEYRING] = write_json(value)


def duplicate_key(files: Files) -> None:
    files[MANIFEST] = files[MANIFEST][:-1] + b',"payloadType":"text/plain"}'


INSIDE = [
    Case("27 record edited", lambda: inside(edit(RECORD, set_row(start=1))), "E-ROWS"),
    Case("28 a false pass", lambda: inside(edit(RECORD, set_all_outcomes)), "E-RESULT"),
    Case("29 body edited", lambda: inside(chain_lines(body_edited)), "E-HASH"),
    Case(
        "30 chain rewritten",
        lambda: inside(rehashed(later)),
        "E-HEAD",
    ),
    Case("31 tail cut", lambda: inside(chain_lines(lambda lines: lines.pop())), "E-HEAD"),
    Case(
        "32 middle entry removed", lambda: inside(chain_lines(lambda lines: lines.pop(2))), "E-SEQ"
    ),
    Case(
        "33 removed and renumbered",
        lambda: inside(rehashed(lambda entries: entries.pop(2))),
        "E-HEAD",
    ),
    Case("34 two entries swapped", lambda: inside(chain_lines(swap_lines)), "E-SEQ"),
    Case("35 an entry twice", lambda: inside(chain_lines(lambda ls: ls.insert(2, ls[2]))), "E-SEQ"),
    Case("36 entry after the checkpoint", lambda: inside(rehashed(after_signing)), "E-HEAD"),
    Case(
        "37 entry backdated",
        lambda: inside(rehashed(lambda e: e[2].update(at_us=1))),
        "E-TIMEORDER",
    ),
    Case("38 proof of identity too old", lambda: inside(edit_signoff(stale)), "E-SIGN-STALEAUTH"),
    Case("39 signature of another call", lambda: inside(transplanted), "E-CHAINID"),
    Case("40 edited after signing", lambda: inside(rehashed(after_signing)), "E-HEAD"),
    Case(
        "41 another name",
        lambda: inside(edit_signoff(renamed)),
        "E-SIGN-BINDING",
    ),
    Case(
        "42 another meaning",
        lambda: inside(edit_signoff(lambda r: r.update(meaning="authored"))),
        "E-SIGN-BINDING",
    ),
    Case(
        "43 one component",
        lambda: inside(edit_signoff(one_component)),
        "E-SIGN-AUTH",
    ),
    Case("44 critical edges dropped", lambda: inside(lax_catalog), "E-CATALOG"),
    Case("44 judged by another catalog", lambda: inside(other_catalog), "E-CATALOG"),
    Case("45 quote altered", lambda: inside(edit(RECORD, other_quote)), "E-COMMIT"),
    Case("46 unfavourable call left out", without_call(CALL), "E-OMITTED"),
    Case("47 left out, and its head too", without_call(CALL, heads=True), "E-HEADS"),
    Case("48 call invented", lambda: inside(invented), "E-OMITTED"),
    Case(
        "49 size of the checkpoint",
        lambda: inside(replace_in(CHECKPOINT, b"\n7\n", b"\n8\n")),
        "E-NOTE-SIG",
    ),
    Case("50 old checkpoint", lambda: inside(old_checkpoint), "E-PROOF"),
    Case("51 another site", predicate(site={"id": CALL, "name": "x"}), "E-TENANT"),
    Case("52 revoked key", lambda: inside(nothing, signer="old export"), "E-KEYWINDOW"),
    Case("53 the log's key", lambda: inside(nothing, signer="log"), "E-SIG"),
    Case("54 dated after now", lambda: inside(created(timedelta(hours=5))), "E-FUTURE"),
    Case(
        "55 dated before its entries", lambda: inside(created(timedelta(hours=-3))), "E-TIMEAFTER"
    ),
    Case(
        "56 a float",
        lambda: inside(replace_in(RECORD, b'"inferred":false', b'"inferred":0.0')),
        "E-FLOAT",
    ),
    Case(
        "56 NaN",
        lambda: inside(replace_in(RECORD, b'"inferred":false', b'"inferred":NaN')),
        "E-FLOAT",
    ),
    Case(
        "57 half of a character",
        lambda: inside(replace_in(RECORD, b'"call":"', HALF)),
        "E-SURROGATE",
    ),
    Case(
        "58 digest in the report",
        lambda: inside(nothing, after=lambda s: s["predicate"].update(records_digest="0" * 64)),
        "E-REPORT",
    ),
    Case("58 sheets of two calls swapped", lambda: inside(swap(SHEET, OTHER_SHEET)), "E-REPORT"),
    Case("59 an older audit", audit, "E-STALE", {"newest": NOON + timedelta(seconds=1)}),
]


def swap_lines(lines: list[dict[str, Any]]) -> None:
    lines[2], lines[3] = lines[3], lines[2]


def stale(record: dict[str, Any]) -> None:
    record["authenticated_at"] = write_time(NOON - timedelta(days=1))


def other_quote(value: dict[str, Any]) -> None:
    value["evidence"][0]["text"] += "!"


BOTH_KEYS = [
    Case("60 history rewritten", rewritten, "E-CONSISTENCY", {"held": held()}),
    Case("61 log shrunk", audit, "E-ROLLBACK", {"held": smaller_log()}),
]


def drop_input(value: dict[str, Any]) -> None:
    value["inputs"].pop()


def closed_input(value: dict[str, Any]) -> None:
    for name in ("nonce", "value"):
        value["inputs"][0].pop(name)


def other_input(value: dict[str, Any]) -> None:
    value["inputs"][0]["value"] = "another"


def other_reason(value: dict[str, Any]) -> None:
    value["decisions"][0]["reason"] = "another"


def other_decider(value: dict[str, Any]) -> None:
    value["decisions"][0]["by"] = "somebody"


def other_decision(value: dict[str, Any]) -> None:
    value["decisions"][0]["value"] = {"point": 1}


def moved_evidence(value: dict[str, Any]) -> None:
    value["evidence"][0]["start"] += 1


def no_signature(value: dict[str, Any]) -> None:
    value["signoffs"] = []


def signed_twice(value: dict[str, Any]) -> None:
    value["signoffs"] *= 2


def no_assertion(value: dict[str, Any]) -> None:
    value["signoffs"][0]["assertion"] = None


def other_assertion(value: dict[str, Any]) -> None:
    sign = value["signoffs"][0]["assertion"]
    sign["signature"] = base64.b64encode(base64.b64decode(sign["signature"])[::-1]).decode()


def other_evaluation(value: dict[str, Any]) -> None:
    value["evaluation"]["summary"] += "!"


def less_universe(_: Files, said: dict[str, Any]) -> None:
    said["universe"]["not_signed"] = 4


def witness_pem(files: Files, *_: object) -> None:
    files["keys/export.pem"] = files["keys/root.pem"]


def second_signature() -> bytes:
    files = files_of(audit())
    payload = base64.b64decode(json.loads(files[MANIFEST])["payload"])
    signers = [private("export"), private("attacker")]
    files[MANIFEST] = seal_envelope(STATEMENT_TYPE, payload, signers)
    return packed(files)


def late_revocation() -> bytes:
    revoked = ring().keyring.without(key_id(public("export")), NOON - timedelta(hours=2))
    return replace(ring(), keyring=revoked).data


def other_log(files: Files, said: dict[str, Any]) -> None:
    said["log"] = "evil.example/log/1"


BEYOND = [
    Case("phase left out", lambda: inside(edit(RECORD, lambda v: v["rows"].pop())), "E-ROWS"),
    Case("evidence moved", lambda: inside(edit(RECORD, moved_evidence)), "E-EVIDENCE"),
    Case(
        "evidence left out",
        lambda: inside(edit(RECORD, lambda v: v["evidence"].pop())),
        "E-EVIDENCE",
    ),
    Case("input left out", lambda: inside(edit(RECORD, drop_input)), "E-INPUTS"),
    Case("input closed in a full audit", lambda: inside(edit(RECORD, closed_input)), "E-COMMIT"),
    Case("input of another value", lambda: inside(edit(RECORD, other_input)), "E-COMMIT"),
    Case("reason altered", lambda: inside(edit(RECORD, other_reason)), "E-COMMIT"),
    Case("decision of another person", lambda: inside(edit(RECORD, other_decider)), "E-DECISIONS"),
    Case("decision altered", lambda: inside(edit(RECORD, other_decision)), "E-DECISIONS"),
    Case(
        "decision left out",
        lambda: inside(edit(RECORD, lambda v: v["decisions"].pop())),
        "E-DECISIONS",
    ),
    Case("ended altered", lambda: inside(edit(RECORD, lambda v: v.update(ended=None))), "E-ROWS"),
    Case("signature left out", lambda: inside(edit(RECORD, no_signature)), "E-SIGNED"),
    Case("signature shown twice", lambda: inside(edit(RECORD, signed_twice)), "E-SIGNED"),
    Case("passkey left out", lambda: inside(edit(RECORD, no_assertion)), "E-SHAPE"),
    Case("passkey of another record", lambda: inside(edit(RECORD, other_assertion)), "E-PASSKEY"),
    Case("evaluation altered", lambda: inside(edit(RECORD, other_evaluation)), "E-EVALUATION"),
    Case(
        "transcript altered",
        lambda: inside(replace_in(TRANSCRIPT, b"turns", b"turnz")),
        "E-TRANSCRIPT",
    ),
    Case("transcript left out", lambda: inside(drop(TRANSCRIPT)), "E-MISSING"),
    Case("unknown file listed", lambda: inside(put("calls/notes.json", b"{}")), "E-PROFILE"),
    Case(
        "record of another call",
        lambda: inside(swap(RECORD, f"calls/{SECOND}/record.json")),
        "E-SHAPE",
    ),
    Case("record with a space", lambda: inside(replace_in(RECORD, b'","', b'", "')), "E-SHAPE"),
    Case(
        "fact of the signature altered",
        lambda: inside(rehashed(other_fact)),
        "E-HEAD",
    ),
    Case("counts of calls altered", lambda: inside(less_universe), "E-OMITTED"),
    Case("heads not sorted", lambda: inside(edit(HEADS, unsorted_heads)), "E-HEADS"),
    Case("heads of an older checkpoint", old_heads_too, "E-OMITTED"),
    Case(
        "a file listed twice",
        lambda: inside(nothing, after=lambda s: s["subject"].append(s["subject"][0])),
        "E-SUBJECTDUP",
    ),
    Case(
        "another kind of statement",
        lambda: inside(nothing, after=lambda s: s.update(predicateType="urn:other")),
        "E-STATEMENT",
    ),
    Case("an unknown profile", predicate(profile="all"), "E-STATEMENT"),
    Case("a name for a key that is none", predicate(more=1), "E-SHAPE"),
    Case("a second signature by a stranger", second_signature, "E-SIG"),
    Case("a log of somebody else", lambda: inside(other_log), "E-NOTE"),
    Case("another key file for openssl", lambda: inside(witness_pem), "E-KEYFILE"),
    Case("another root", audit, "E-ROOT", {"root_id": "ab" * 32}),
    Case("key revoked meanwhile", audit, "E-KEYWINDOW", {"keyring": late_revocation()}),
    Case(
        "members in another order",
        lambda: packed(files_of(audit()), sorted(files_of(audit()))),
        "E-CONTAINER",
    ),
    Case("bytes before the first member", lambda: b"x" + audit(), "E-ZIP"),
    Case("bytes after the end", lambda: audit() + b"x", "E-ZIP"),
    Case("a comment", lambda: audit()[:-2] + b"\x01\x00x", "E-ZIP"),
    Case("no bytes", lambda: b"", "E-ZIP"),
    Case("64-bit kind", lambda: audit()[:-12] + b"\xff" * 10 + b"\0\0", "E-ZIP"),
    Case("an empty container", lambda: packed({}), "E-MISSING"),
]

EVERY = [*OUTSIDE, *INSIDE, *BOTH_KEYS, *BEYOND]


@pytest.mark.parametrize("case", EVERY, ids=[shown(case.name) for case in EVERY])
def test_a_spoiled_audit_is_refused_with_its_code(case: Case) -> None:
    with pytest.raises(Refused) as refusal:
        verify(case.make(), **case.asked)
    assert refusal.value.code == case.code, refusal.value


def test_the_list_of_the_design_is_whole() -> None:
    numbers = {int(case.name.split()[0]) for case in [*OUTSIDE, *INSIDE, *BOTH_KEYS]}
    assert numbers == set(range(1, 62))


def test_each_case_changes_something() -> None:
    same = {case.name for case in EVERY if not case.asked and case.make() == audit()}
    assert same == set()


@pytest.mark.parametrize("profile", Profile)
def test_an_audit_as_it_was_built_is_verified(profile: Profile) -> None:
    found = verify(audit(profile))
    assert [one.call_success for one in found.verdicts].count("fail") == 2
    assert all(one.is_derived for one in found.verdicts)


def test_a_stranger_without_any_checkpoint_cannot_see_rewritten_history() -> None:
    """Accepted by design: said in README.txt, and the reason for checkpoints and witnesses."""
    assert isinstance(verify(rewritten()), Verified)


@pytest.mark.parametrize("index", [0, 1])
def test_a_log_that_grew_from_the_checkpoint_held_is_said_to(index: int) -> None:
    assert verify(audit(), held=held(index)).is_consistent


def test_two_exports_of_one_call_have_other_pseudonyms() -> None:
    made = world()
    one = verify(made.build(made.order(Profile.DEIDENTIFIED, secret=SECRET)))
    other = verify(made.build(made.order(Profile.DEIDENTIFIED, secret=bytes(32))))
    assert not {x.call for x in one.verdicts} & {x.call for x in other.verdicts}

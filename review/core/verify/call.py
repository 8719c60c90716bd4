"""One call of an audit: its record against its chain, its signatures, and its own verdicts.

| code | what is refused |
| --- | --- |
| E-SIGNED | signatures that are not those the chain tells of |
| E-SIGN-BINDING | a signature over another record than the chain or the files hold |
| E-SIGN-STALE | a row that was changed while the signature stood |
| E-UNSIGNED | a call without a signature that stands |
| E-ROWS | rows that are not those that were signed |
| E-INPUTS | facts or attributes that are not those that were signed |
| E-EVIDENCE | evidence that is not that which was signed, or words that are not at their place |
| E-COMMIT | words or a value that do not open their commitment |
| E-DECISIONS | decisions that are not those the chain tells of |
| E-TRANSCRIPT | a transcript that is not the one that was judged |
| E-EVALUATION | an evaluation that is not the one that was signed |
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from catalogs.core.canonical import digest as canonical_digest
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import STATED, Entry, commit_text, microseconds
from oipsce_site.signing.core.plain import (
    read_base64,
    read_count,
    read_hex,
    read_json,
    read_list,
    read_object,
    read_text,
    write_json,
)
from oipsce_site.signing.core.refusals import require
from review.core.audit.names import CALL_FORMAT, Profile
from review.core.signoff.content import (
    EvidencePiece,
    SignedContent,
    commit_input,
    digest_of_plain_rows,
    evidence_digest,
    inputs_digest,
)
from review.core.signoff.passkey import assertion_from_json, check_assertion
from review.core.signoff.record import (
    Assurance,
    SignOff,
    decode_signoff,
    sign_facts,
    signoff_digest,
)
from review.core.signoff.standing import DECIDE, Told, told_signatures

_RECORD: Final = {
    *("format", "call", "about", "catalog", "ended", "rows", "inputs", "evidence"),
    *("decisions", "signoffs", "evaluation", "outcome"),
}
_PIECE: Final = {"phase", "item", "turn", "start", "end", "commitment"}
_SIGNING_TIME: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Signed:
    """One verified signature of a call; `in_batch` says that it was made together with others."""

    signoff: SignOff
    digest: str
    stands: bool
    in_batch: bool = False


def read_record(data: bytes, call: str) -> dict[str, Any]:
    """Return the record of a call in the profiles `full` and `minimum`. Raises Refused."""
    what = f"the record of {call}"
    record = read_object(read_json(data, what), _RECORD, what)
    require(write_json(record) == data, "E-SHAPE", f"{what} is not in its canonical form")
    own = record["format"] == CALL_FORMAT and record["call"] == call
    require(own, "E-SHAPE", f"{what} is of another call or format")
    return record


def check_call(
    record: Mapping[str, Any], entries: Sequence[Entry], profile: Profile, transcript: bytes | None
) -> list[Signed]:
    """Check everything in a call's record but its verdicts; returns its signatures.

    Raises Refused.
    """
    call = str(record["call"])
    signatures = _check_signatures(record, entries, call)
    content = next(one.signoff.content for one in reversed(signatures) if one.stands)
    _check_rows(record, content, call)
    _check_inputs(record, content, call, must_open=profile is Profile.FULL)
    _check_decisions(record, entries, content, call)
    texts = _check_transcript(transcript, content, call)
    _check_evidence(record, content, call, texts)
    _check_evaluation(record, content, call, profile)
    return signatures


def _check_signatures(
    record: Mapping[str, Any], entries: Sequence[Entry], call: str
) -> list[Signed]:
    told = told_signatures(entries)
    given = read_list(record["signoffs"], "the signatures")
    require(len(told) == len(given), "E-SIGNED", f"{call}: the chain tells of other signatures")
    found = [_check_signature(*pair, call) for pair in zip(told, given, strict=True)]
    standing = [one for one, signed in zip(told, found, strict=True) if signed.stands]
    require(bool(standing), "E-UNSIGNED", f"{call} has no signature that stands")
    changed = standing[-1].changed_at
    require(changed is None, "E-SIGN-STALE", f"{call}: entry {changed} changed what was signed")
    return found


def _check_signature(told: Told, given: object, call: str) -> Signed:
    what = f"a signature of {call}"
    plain = read_object(given, {"record", "assertion"}, what)
    raw = read_base64(plain["record"], what)
    signoff = decode_signoff(raw)
    digest = signoff_digest(raw)
    bound = dict(sign_facts(raw, signoff)) == _facts_as_stated(told, signoff)
    require(bound, "E-SIGN-BINDING", f"{what}: the chain tells of another record")
    actor = told.actor
    same = (actor["id"], actor["role"]) == (signoff.signer.id, signoff.signer.role)
    require(same, "E-SIGN-BINDING", f"{what}: the chain names another signer")
    content = signoff.content
    require(content.call_id == call, "E-SIGN-BINDING", f"{what} is of another call")
    seen = (content.evaluation_digest, content.decisions)
    as_told = seen == (told.evaluation_digest, told.decisions)
    require(as_told, "E-SIGN-BINDING", f"{what}: the call stood otherwise when it was signed")
    late = told.at_us - microseconds(signoff.at)
    in_time = 0 <= late <= _SIGNING_TIME // timedelta(microseconds=1)
    require(in_time, "E-SIGN-STALEAUTH", f"{what} is dated otherwise than its entry")
    in_batch = False
    if signoff.assurance is Assurance.SIGNER_KEY:
        assertion = assertion_from_json(plain["assertion"])
        check_assertion(assertion, digest, signoff.key_digest)
        in_batch = bool(assertion.batch)
    else:
        require(plain["assertion"] is None, "E-SIGN-AUTH", f"{what} names no key and shows one")
    return Signed(signoff, digest.hex(), told.voided_at is None, in_batch)


def _facts_as_stated(told: Told, signoff: SignOff) -> dict[str, Any]:
    """Return what the chain tells of a signature, but for the time that the signer's clock said.

    It stands there where that clock was behind the entry before; how far it may be is asked below.
    """
    facts = dict(told.facts)
    if facts.get(STATED) == microseconds(signoff.at):
        del facts[STATED]
    return facts


def _check_rows(record: Mapping[str, Any], content: SignedContent, call: str) -> None:
    rows = read_list(record["rows"], "the rows")
    own = digest_of_plain_rows(rows) == content.rows_digest
    require(own, "E-ROWS", f"{call}: the rows are not those that were signed")
    require(record["ended"] is content.ended, "E-ROWS", f"{call}: ended, or not, was signed")
    catalog = record["catalog"] == content.catalog_digest
    require(catalog, "E-CATALOG", f"{call} was signed under another catalog")
    signed = {
        "coverage": content.coverage,
        "order_safe": content.order_safe,
        "call_success": content.call_success,
    }
    require(record["outcome"] == signed, "E-RESULT", f"{call}: another outcome was signed")


def _check_inputs(
    record: Mapping[str, Any], content: SignedContent, call: str, *, must_open: bool
) -> None:
    named: list[tuple[str, str, str]] = []
    for one in read_list(record["inputs"], "the inputs"):
        is_open = isinstance(one, dict) and "nonce" in one
        keys = {"kind", "name", "commitment"} | ({"nonce", "value"} if is_open else set())
        plain = read_object(one, keys, "an input")
        kind, name = read_text(plain["kind"], "an input"), read_text(plain["name"], "an input")
        require(is_open or not must_open, "E-COMMIT", f"{call}: input {name} is not opened")
        if is_open:
            nonce = read_hex(plain["nonce"], 32, "the nonce of an input")
            own = commit_input(kind, name, plain["value"], nonce)
            require(own == plain["commitment"], "E-COMMIT", f"{call}: {name} had another value")
        named.append((kind, name, read_text(plain["commitment"], "an input")))
    same = inputs_digest(named) == content.inputs_digest
    require(same, "E-INPUTS", f"{call}: the facts and attributes are not those that were signed")


def _check_evidence(
    record: Mapping[str, Any], content: SignedContent, call: str, texts: Mapping[int, str] | None
) -> None:
    pieces: list[EvidencePiece] = []
    events = _event_spans(record)
    for one in read_list(record["evidence"], "the evidence"):
        is_open = isinstance(one, dict) and "nonce" in one
        plain = read_object(one, _PIECE | ({"nonce", "text"} if is_open else set()), "evidence")
        piece = EvidencePiece(
            phase=read_text(plain["phase"], "evidence"),
            item=read_text(plain["item"], "evidence"),
            turn=read_count(plain["turn"], "evidence"),
            start=read_count(plain["start"], "evidence"),
            end=read_count(plain["end"], "evidence"),
            commitment=read_text(plain["commitment"], "evidence"),
        )
        pieces.append(piece)
        if not is_open:
            continue
        words = read_text(plain["text"], "evidence")
        nonce = read_hex(plain["nonce"], 32, "the nonce of evidence")
        where = f"{call}: evidence of {piece.phase} at turn {piece.turn}"
        own = commit_text(nonce, words) == piece.commitment
        require(own, "E-COMMIT", f"{where} had other words")
        if texts is not None and _place(piece) not in events:
            there = texts.get(piece.turn, "")[piece.start : piece.end] == words
            require(there, "E-EVIDENCE", f"{where} is not at its place")
    same = evidence_digest(pieces) == content.evidence_digest
    require(same, "E-EVIDENCE", f"{call}: the evidence is not that which was signed")


def _place(piece: EvidencePiece) -> tuple[str, str, int, int, int]:
    return (piece.phase, piece.item, piece.turn, piece.start, piece.end)


def _event_spans(record: Mapping[str, Any]) -> set[tuple[Any, ...]]:
    """Return the places of evidence that is an event and no words of a turn."""
    return {
        (row["phase"], *piece[:4])
        for row in record["rows"]
        for piece in row["evidence"]
        if piece[5] is not None
    }


def _check_decisions(
    record: Mapping[str, Any], entries: Sequence[Entry], content: SignedContent, call: str
) -> None:
    bodies: list[dict[str, Any]] = [read_body(entry.body) for entry in entries]
    told = [(body["facts"], body["actor"]) for body in bodies if body["type"] == DECIDE]
    given = read_list(record["decisions"], "the decisions")
    require(len(told) == len(given), "E-DECISIONS", f"{call}: the chain tells of other decisions")
    for (facts, actor), one in zip(told, given, strict=True):
        _check_decision(one, facts, actor, call)
    enough = content.decisions <= len(given)
    require(enough, "E-DECISIONS", f"{call}: decisions that were signed are missing")


def _check_decision(
    one: Any, facts: Mapping[str, Any], actor: Mapping[str, Any], call: str
) -> None:
    what = f"{call}: decision {facts.get('number')}"
    said = (one["number"], one["kind"], one["phase"], one["fact"], one["revision"])
    told = tuple(facts.get(n) for n in ("number", "decision", "phase", "fact", "on_revision"))
    require(said == told, "E-DECISIONS", f"{what} is another one in the chain")
    by = (one["by"], one["role"]) == (actor["id"], actor["role"])
    require(by, "E-DECISIONS", f"{what} is another person's in the chain")
    if one["value"] is not None:
        own = canonical_digest(one["value"]) == facts.get("value_digest")
        require(own, "E-DECISIONS", f"{what} said something else")
    if "reason" in one:
        nonce = read_hex(one["reason_nonce"], 32, "the nonce of a reason")
        own = commit_text(nonce, one["reason"]) == facts.get("reason_commitment")
        require(own, "E-COMMIT", f"{what} had other words")


def _check_transcript(
    transcript: bytes | None, content: SignedContent, call: str
) -> Mapping[int, str] | None:
    """Check a transcript and return the words of its turns by number; None without one."""
    if transcript is None:
        return None
    own = hashlib.sha256(transcript).hexdigest() == content.transcript_digest
    require(own, "E-TRANSCRIPT", f"{call}: the transcript is not the one that was judged")
    plain = read_json(transcript, f"the transcript of {call}")
    return {turn[0]: turn[4] for turn in plain["turns"]}


def _check_evaluation(
    record: Mapping[str, Any], content: SignedContent, call: str, profile: Profile
) -> None:
    evaluation = record["evaluation"]
    if profile is not Profile.FULL:
        require(evaluation is None, "E-EVALUATION", f"{call}: the profile holds no evaluation")
        return
    own = canonical_digest(evaluation) == content.evaluation_digest
    require(own, "E-EVALUATION", f"{call}: the evaluation is not the one that was signed")

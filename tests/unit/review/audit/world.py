"""A site with signed calls, made of pure values: what audits of tests are built from.

The calls are the shipped cases, read, pre-filled and judged by the product's own core; chains,
sign-offs, tree and checkpoints are made as the shell makes them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from catalogs.core.canonical import canonical_bytes
from catalogs.core.canonical import digest as canonical_digest
from catalogs.core.document import Document, load_document
from catalogs.shipped import SHIPPED_CATALOGS
from oipsce_site.ledger.core.entry import (
    About,
    Actor,
    ActorKind,
    Entry,
    build_body,
    commit_text,
    make_entry,
    microseconds,
)
from oipsce_site.ledger.core.heads import Head, head_leaf, leaf_of_maps, prove_heads, sort_heads
from oipsce_site.ledger.core.merkle import Tree
from oipsce_site.ledger.core.sealed import origin_of
from oipsce_site.signing.core.note import Checkpoint, sign_checkpoint
from review.adapters.press import open_press
from review.core.audit.names import Profile, Why
from review.core.cascade.pipeline import prepare, scalar_attributes
from review.core.evaluation import judge_call, quotes_of, report_to_json
from review.core.evidence.spans import commit
from review.core.export.bundle import build_bundle, calls_in_order
from review.core.export.order import (
    CallFile,
    CatalogFile,
    DecisionFile,
    Opened,
    Order,
    Scope,
    Sealed,
    SignOffFile,
    UniverseLine,
)
from review.core.parsers import parse_calls
from review.core.signoff.content import (
    EvidencePiece,
    Input,
    InputKind,
    SignedContent,
    evidence_digest,
    inputs_digest,
    rows_digest,
)
from review.core.signoff.record import SIGN, encode_signoff, sign_facts, signoff_digest
from review.core.transcript.storing import transcript_bytes, transcript_digest
from review.core.verify.bundle import Asked, Verified, verify_audit
from review.shipped import shipped_case
from tests.unit.review.audit.signing import PASSKEY, assert_with, signoff
from tests.unit.signing.rings import LOG, NOON, Ring, private, ring

SITE = UUID("22222222-2222-4222-8222-222222222222")
OTHER_SITE = UUID("33333333-3333-4333-8333-333333333333")
ORIGIN = origin_of(LOG, 1)
REVIEWER = Actor("44444444-4444-4444-8444-444444444444", "senior_reviewer", ActorKind.PERSON)
WORKER = Actor("prefill", "worker", ActorKind.WORKER)
#: Case and catalog; in the order of the calls' ids.
CASES = (
    ("case_b_call.json", "benefits_verification"),
    ("case_micro.json", "micro"),
    ("case_a_respiratory.json", "respiratory_history"),
)
SECRET = bytes(range(32))


@cache
def catalog(stem: str) -> Document:
    """Return a shipped catalog."""
    [path] = [path for path in SHIPPED_CATALOGS if path.stem == stem]
    document, _ = load_document(path.read_bytes())
    assert document is not None
    return document


@cache
def catalog_file(stem: str) -> CatalogFile:
    """Return it as an audit holds it."""
    document = catalog(stem)
    [path] = [path for path in SHIPPED_CATALOGS if path.stem == stem]
    content = {k: v for k, v in document.data.items() if k not in ("status", "approvers")}
    return CatalogFile(
        document.digest,
        document.slug,
        document.version,
        canonical_bytes(content),
        path.read_bytes(),
    )


class Chain:
    """A chain that grows by a second with each entry."""

    def __init__(self, chain_id: UUID, about: About, at: datetime) -> None:
        self.chain_id = chain_id
        self.entries: list[Entry] = []
        self.at = at
        self.add("genesis", WORKER, {"about": about.value, "id": str(chain_id)})

    def add(self, kind: str, by: Actor, facts: Mapping[str, Any]) -> Entry:
        body = build_body(kind=kind, by=by, request_id="r", build="test", facts=dict(facts))
        head = self.entries[-1] if self.entries else None
        self.at += timedelta(seconds=1)
        made = make_entry(chain_id=self.chain_id, head=head, at_us=microseconds(self.at), body=body)
        self.entries.append(made)
        return made

    @property
    def head(self) -> Head:
        last = self.entries[-1]
        return Head(self.chain_id, last.seq, last.entry_hash)


def nonce(*parts: object) -> bytes:
    """Return a nonce that is another one for other words."""
    return bytes.fromhex(canonical_digest([str(part) for part in parts]))


def signed_call(number: int, raw: bytes, at: datetime, name: str, stem: str) -> CallFile:
    """Read, judge, confirm and sign one call."""
    call_id = UUID(int=0x1111_1111_1111_4111_8111_0000_0000_0000 + number)
    [call] = parse_calls(raw, name=name).calls
    judged = judge_call(call, prepare(catalog(stem)))
    report = report_to_json(judged.report)
    quote = quotes_of(judged.call)
    opened = []
    for row in judged.report.rows:
        for piece in row.evidence:
            words = quote(piece.turn, piece.start, piece.end, piece.event)
            key = nonce(call_id, piece.turn)
            opened.append(
                Opened(
                    EvidencePiece(
                        row.phase,
                        piece.item,
                        piece.turn,
                        piece.start,
                        piece.end,
                        commit(words, key),
                    ),
                    key,
                    words,
                )
            )
    facts = [(InputKind.FACT, name, value) for name, value in judged.filled.facts.items()]
    attributes = [
        (InputKind.ATTRIBUTE, name, value) for name, value in scalar_attributes(judged.call).items()
    ]
    inputs = tuple(
        Input(kind, name, value, nonce(call_id, kind, name))
        for kind, name, value in [*facts, *attributes]
    )
    chain = Chain(call_id, About.CALL, at)
    chain.add("call.ingest", WORKER, {"site_id": str(SITE)})
    evaluation = canonical_digest(report)
    chain.add("prefill.store", WORKER, {"evaluation_digest": evaluation})
    reason_nonce = nonce(call_id, "reason")
    chain.add(
        "row.decide",
        REVIEWER,
        {
            "number": 1,
            "decision": "CONFIRM",
            "phase": judged.report.rows[0].phase,
            "fact": "",
            "value_digest": canonical_digest({}),
            "on_revision": 1,
            "reason_commitment": commit_text(reason_nonce, "heard it, =twice"),
        },
    )
    decision = DecisionFile(
        number=1,
        kind="CONFIRM",
        by=REVIEWER.id,
        role=REVIEWER.role,
        phase=judged.report.rows[0].phase,
        fact="",
        value={},
        at=chain.at,
        revision=1,
        reason="heard it, =twice",
        reason_nonce=reason_nonce,
    )
    digest = transcript_digest(judged.call)
    content = SignedContent(
        call_id=str(call_id),
        site_id=str(SITE),
        review=1,
        transcript_revision=1,
        transcript_digest=digest,
        catalog_slug=catalog(stem).slug,
        catalog_version=catalog(stem).version,
        catalog_digest=catalog(stem).digest,
        engine=judged.report.engine,
        decisions=1,
        evaluation_id=str(UUID(int=number)),
        evaluation_digest=evaluation,
        rows_digest=rows_digest(judged.filled.rows),
        inputs_digest=inputs_digest((i.kind.value, i.name, i.commitment) for i in inputs),
        evidence_digest=evidence_digest(one.piece for one in opened),
        ended=judged.call.ended,
        coverage=judged.report.coverage,
        order_safe=judged.report.order_safe,
        call_success=judged.report.call_success,
    )
    made = signoff(
        content=content,
        at=chain.at,
        authenticated_at=chain.at - timedelta(seconds=9),
        nonce=nonce(call_id, "sign"),
    )
    record = encode_signoff(made)
    chain.add(SIGN, REVIEWER, sign_facts(record, made))
    return CallFile(
        call_id=str(call_id),
        about={
            "external_id": call.id,
            "title": call.title,
            "source": call.source.format,
            "date": None if call.date is None else call.date.isoformat(),
        },
        catalog_digest=catalog(stem).digest,
        ended=judged.call.ended,
        rows=judged.filled.rows,
        inputs=inputs,
        evidence=tuple(opened),
        decisions=(decision,),
        signoffs=(SignOffFile(record, assert_with(PASSKEY, signoff_digest(record))),),
        evaluation=report,
        transcript=transcript_bytes(judged.call),
        chain=tuple(chain.entries),
        coverage=judged.report.coverage,
        order_safe=judged.report.order_safe,
        call_success=judged.report.call_success,
    )


@dataclass
class World:
    """The site with its calls, its log, and audits of them."""

    calls: list[CallFile]
    leaves: list[bytes] = field(default_factory=list)
    notes: list[tuple[int, bytes]] = field(default_factory=list)
    sealed: Sealed | None = None
    ring: Ring = field(default_factory=ring)
    log_key: str = "log"

    def heads(self) -> dict[UUID, list[Head]]:
        site = Chain(SITE, About.SITE, NOON - timedelta(hours=5))
        other = Chain(OTHER_SITE, About.SITE, NOON - timedelta(hours=5))
        own = [head_of(call) for call in self.calls]
        return {SITE: sort_heads([site.head, *own]), OTHER_SITE: [other.head]}

    def seal(self, at: datetime) -> bytes:
        """Seal the heads as they are; returns the note."""
        maps = self.heads()
        known = set(self.leaves)
        grown = [head_leaf(head) for heads in maps.values() for head in heads]
        self.leaves += [leaf for leaf in grown if leaf not in known]
        self.leaves.append(leaf_of_maps(maps, microseconds(at)))
        size = len(self.leaves)
        tree = Tree(self.leaves)
        note = sign_checkpoint(Checkpoint(ORIGIN, size, tree.root(size)), private(self.log_key))
        proof = prove_heads(maps, SITE, microseconds(at), tree.inclusion(size - 1, size))
        self.sealed = Sealed(
            note=note,
            log=ORIGIN,
            heads=tuple(maps[SITE]),
            proof=proof,
            consistency={old: tuple(tree.consistency(old, size)) for old, _ in self.notes},
        )
        self.notes.append((size, note))
        return note

    def order(self, profile: Profile = Profile.FULL, **changes: Any) -> Order:
        """Return an order for all calls."""
        assert self.sealed is not None
        given: dict[str, Any] = {
            "export_id": "55555555-5555-4555-8555-555555555555",
            "site_id": str(SITE),
            "site_name": "North",
            "profile": profile,
            "scope": Scope(),
            "recipient": "Regulator",
            "purpose": "yearly inspection",
            "created_at": NOON,
            "created_by": "Olga Officer",
            "created_by_role": "compliance_officer",
            "approved_by": "Sven Second",
            "engine": "oip-engine/1",
            "build": "test",
            "secret": SECRET,
            "keyring": self.ring.data,
            "sealed": self.sealed,
            "universe": tuple(UniverseLine(c.call_id, Why.INCLUDED) for c in self.calls),
            "catalogs": tuple(catalog_file(stem) for _, stem in CASES),
            "verifier": b"# the verifier\n",
        }
        return Order(**{**given, **changes})

    def build(self, order: Order | None = None, signer: str = "export") -> bytes:
        """Return the bytes of an audit."""
        order = order or self.order()
        by_id = {call.call_id: call for call in self.calls}
        out = io.BytesIO()
        calls = (by_id[call_id] for call_id in calls_in_order(order))
        with open_press() as press:
            build_bundle(order, calls, private(signer), self.ring.root_id, out.write, press)
        return out.getvalue()


def head_of(call: CallFile) -> Head:
    """Return the head of a call's chain."""
    last = call.chain[-1]
    return Head(last.chain_id, last.seq, last.entry_hash)


@cache
def shipped_calls() -> tuple[CallFile, ...]:
    """Return the shipped cases of the catalog, signed."""
    found = []
    for number, (name, stem) in enumerate(CASES):
        raw = shipped_case(name)
        assert raw is not None, name
        found.append(signed_call(number, raw, NOON - timedelta(hours=4 - number), name, stem))
    return tuple(found)


def world(calls: int = len(CASES)) -> World:
    """Return a world whose log was sealed twice: after all calls but the last, and after all."""
    made = World(list(shipped_calls()[: calls - 1]))
    made.seal(NOON - timedelta(hours=1))
    made.calls = list(shipped_calls()[:calls])
    made.seal(NOON - timedelta(minutes=5))
    return made


@cache
def audit(profile: Profile = Profile.FULL) -> bytes:
    """Return an audit of the world as it is."""
    made = world()
    return made.build(made.order(profile))


def verify(data: bytes, **changes: Any) -> Verified:
    """Verify bytes against the world's root, an hour after noon."""
    given: dict[str, Any] = {"root_id": ring().root_id, "now": NOON + timedelta(hours=1)}
    return verify_audit(io.BytesIO(data), Asked(**{**given, **changes}))


def edit_json(data: bytes, change: Callable[[Any], object]) -> bytes:
    """Return canonical JSON after a change of its value."""
    value = json.loads(data)
    change(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()

"""Assemble a signed audit: files in their order, then the manifest that lists and signs them."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from oipsce_site.ledger.core.entry import Entry
from oipsce_site.signing.core.envelope import STATEMENT_TYPE, seal_envelope
from oipsce_site.signing.core.keyring import open_keyring
from oipsce_site.signing.core.keys import fingerprint, public_bytes, public_pem
from oipsce_site.signing.core.plain import write_base64, write_json, write_time
from review.core.audit import names
from review.core.audit.catalog_content import deciding_inputs, read_plan
from review.core.audit.container import ContainerWriter
from review.core.audit.names import Profile, Why
from review.core.export.derived import derive_decision
from review.core.export.disclosure import deidentify, disclose, pseudonym
from review.core.export.order import CallFile, CatalogFile, Order
from review.core.export.readme import write_readme
from review.core.export.reports import ReportLine, report_line, write_csv, write_html
from review.core.export.sheets import (
    CatalogNames,
    Press,
    Printed,
    audit_sheet,
    call_sheet,
    names_of,
    turns_of,
)
from review.core.predicates.plan import Plan
from review.core.signoff.record import SignOff, decode_signoff, signoff_digest
from review.core.signoff.standing import told_signatures

#: How many calls may wait for their PDF while the next ones are read.
MOST_WAITING: Final = 6


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a catalog of the order: its plan, what that reads, and its words."""

    plan: Plan
    deciding: frozenset[tuple[str, str]]
    names: CatalogNames


class UnableToExport(Exception):
    """The audit cannot be built as ordered; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Built:
    """What was built: its SHA-256 and size, how many calls, and the digest of their records."""

    digest: str
    size: int
    calls: int
    records_digest: str


@dataclass(frozen=True, slots=True)
class _Waiting:
    """The files of a call whose PDF is being made."""

    files: Mapping[str, bytes]
    name: str
    printed: Printed


@dataclass(slots=True)
class _Pile:
    """What is known of the files written so far."""

    container: ContainerWriter
    subjects: dict[str, str] = field(default_factory=dict)
    records: list[bytes] = field(default_factory=list)
    lines: list[ReportLine] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    waiting: deque[_Waiting] = field(default_factory=deque)

    def add(self, name: str, data: bytes) -> None:
        self.subjects[name] = hashlib.sha256(data).hexdigest()
        self.container.add(name, data)

    def settle(self, most: int) -> None:
        """Write calls whose turn it is until no more than `most` wait."""
        while len(self.waiting) > most:
            first = self.waiting.popleft()
            files = {**first.files, first.name: first.printed.result()}
            for name in names.in_order(files):
                self.add(name, files[name])


def build_bundle(
    order: Order,
    calls: Iterable[CallFile],
    signer: Ed25519PrivateKey,
    root_id: str,
    write: Callable[[bytes], object],
    press: Press,
) -> Built:
    """Write the audit and return what was built; the same order gives the same bytes.

    `calls` are asked for one by one, in the order of `calls_in_order`, and not kept. `write` takes
    the bytes as they come; `press` prints the PDFs, a few at a time. Raises UnableToExport for a
    call that is not as the order says, TooLarge, Refused for a keyring or catalog that does not
    verify, and whatever kept the press from printing.
    """
    counter = _Counter(write)
    pile = _Pile(ContainerWriter(counter.write))
    root = open_keyring(order.keyring, root_id).root
    is_bare = order.profile is Profile.DEIDENTIFIED
    pile.add(
        names.README,
        write_readme(
            export_id=order.export_id, root_fingerprint=fingerprint(root), is_deidentified=is_bare
        ),
    )
    known = {one.digest: _know(one) for one in order.catalogs}
    for call_id, call in zip(calls_in_order(order), calls, strict=True):
        if call.call_id != call_id:
            raise UnableToExport(f"call {call.call_id} came where {call_id} was expected")
        pile.waiting.append(_print_call(pile, order, call, known, press))
        pile.settle(MOST_WAITING)
    pile.settle(0)
    _add_fixed(pile, order, public_pem(root), public_pem(public_bytes(signer)))
    records = names.records_digest(pile.records)
    _add_reports(pile, order, records, known, press)
    statement = _statement(order, pile, records)
    container = pile.container
    container.add(names.MANIFEST, seal_envelope(STATEMENT_TYPE, write_json(statement), [signer]))
    container.finish()
    return Built(counter.sha256.hexdigest(), counter.size, len(pile.calls), records)


def calls_in_order(order: Order) -> list[str]:
    """Return the ids of the calls that go in, in the order in which they are written."""
    chosen = [one.call_id for one in order.universe if one.why is Why.INCLUDED]
    return sorted(chosen, key=lambda call_id: shown_name(order, call_id))


def shown_name(order: Order, call_id: str) -> str:
    """Return how a call is called in this audit."""
    is_bare = order.profile is Profile.DEIDENTIFIED
    return pseudonym(order.secret, call_id) if is_bare else call_id


class _Counter:
    """Counts and digests what passes through."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self.sha256 = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self.sha256.update(data)
        self.size += len(data)
        self._write(data)


def _know(catalog: CatalogFile) -> _Known:
    plan = read_plan(catalog.content, catalog.digest)
    return _Known(plan, deciding_inputs(plan), names_of(catalog))


def _print_call(
    pile: _Pile, order: Order, call: CallFile, known: Mapping[str, _Known], press: Press
) -> _Waiting:
    if call.catalog_digest not in known:
        raise UnableToExport(f"call {call.call_id}: its catalog is not among those of the order")
    name = shown_name(order, call.call_id)
    catalog = known[call.catalog_digest]
    files: dict[str, bytes] = {}
    signatures: list[tuple[SignOff, str, str]] = []
    if order.profile is Profile.DEIDENTIFIED:
        record = deidentify(call, name, catalog.deciding)
    else:
        record = disclose(call, order.profile, catalog.deciding)
        signatures = _signatures(call)
        files[names.chain_name(name)] = b"".join(_chain_lines(call.chain))
    data = files[names.record_name(name)] = write_json(record)
    digest = hashlib.sha256(data).digest()
    transcript = call.transcript if order.profile is Profile.FULL else None
    if transcript is not None:
        files[names.transcript_name(name)] = transcript
    line = report_line(record, digest.hex(), signatures)
    pile.records.append(digest)
    pile.lines.append(line)
    pile.calls.append(name)
    decision = derive_decision(record, catalog.plan, catalog.deciding)
    sheet = call_sheet(order, line, record, catalog.names, decision)
    if transcript is not None:
        sheet["turns"] = turns_of(transcript)
    return _Waiting(files, names.sheet_name(name), press.submit(sheet))


def _signatures(call: CallFile) -> list[tuple[SignOff, str, str]]:
    told = {one.digest: one for one in told_signatures(call.chain)}
    found: list[tuple[SignOff, str, str]] = []
    for one in call.signoffs:
        digest = signoff_digest(one.record).hex()
        if digest not in told:
            raise UnableToExport(f"call {call.call_id}: its log does not tell of a signature")
        state = "stands" if told[digest].voided_at is None else "void"
        found.append((decode_signoff(one.record), digest, state))
    if not any(state == "stands" for _, _, state in found):
        raise UnableToExport(f"call {call.call_id} has no signature that stands")
    return found


def _chain_lines(entries: Iterable[Entry]) -> Iterator[bytes]:
    for entry in entries:
        line = {
            "chain": str(entry.chain_id),
            "seq": entry.seq,
            "prev": entry.prev_hash.hex(),
            "at_us": entry.at_us,
            "body": write_base64(entry.body),
            "hash": entry.entry_hash.hex(),
        }
        yield write_json(line) + b"\n"


def _add_fixed(pile: _Pile, order: Order, root_pem: bytes, export_pem: bytes) -> None:
    files = {names.KEYRING: order.keyring, names.ROOT_PEM: root_pem, names.EXPORT_PEM: export_pem}
    if order.profile is not Profile.DEIDENTIFIED:
        for call, entries in order.erased.items():
            files[names.erased_name(call)] = b"".join(_chain_lines(entries))
    for one in order.catalogs:
        files[names.catalog_name(one.digest)] = one.content
        files[names.catalog_text_name(one.digest)] = one.source
    files[names.VERIFIER] = order.verifier
    if order.profile is not Profile.DEIDENTIFIED:
        files |= _proofs(order)
        if order.roster is not None:
            files[names.ROSTER] = order.roster
    for name in names.in_order(files):
        pile.add(name, files[name])


def _proofs(order: Order) -> dict[str, bytes]:
    sealed, proof = order.sealed, order.sealed.proof
    heads = {
        "format": names.HEADS_FORMAT,
        "site": order.site_id,
        "heads": [[str(one.chain_id), one.seq, one.entry_hash.hex()] for one in sealed.heads],
        "sealed_at_us": proof.sealed_at_us,
        "sites": proof.sites,
        "site_index": proof.site_index,
        "site_path": [one.hex() for one in proof.site_path],
        "path": [one.hex() for one in proof.path],
    }
    consistency = {
        str(size): [one.hex() for one in path] for size, path in sealed.consistency.items()
    }
    return {
        names.CHECKPOINT: sealed.note,
        names.HEADS: write_json(heads),
        names.CONSISTENCY: write_json(consistency),
    }


def _add_reports(
    pile: _Pile, order: Order, records: str, known: Mapping[str, _Known], press: Press
) -> None:
    named = {digest: one.names for digest, one in known.items()}
    printed = press.submit(audit_sheet(order, pile.lines, named, records))
    titles = {digest: one.title for digest, one in named.items()}
    pile.add(names.REPORT_CSV, write_csv(pile.lines, titles, records))
    pile.add(names.REPORT_HTML, write_html(order, pile.lines, titles, records))
    pile.add(names.REPORT_PDF, printed.result())
    if order.profile is not Profile.DEIDENTIFIED:
        calls = {one.call_id: one.why.value for one in order.universe}
        pile.add(names.UNIVERSE, write_json({"format": names.UNIVERSE_FORMAT, "calls": calls}))


def _statement(order: Order, pile: _Pile, records: str) -> dict[str, Any]:
    is_bare = order.profile is Profile.DEIDENTIFIED
    counts = {why.value: 0 for why in Why}
    for one in order.universe:
        counts[one.why.value] += 1
    scope = order.scope
    dates = [scope.first_date, scope.last_date]
    years = [None if one is None else one[:4] for one in dates]
    predicate = {
        "export": order.export_id,
        "site": None if is_bare else {"id": order.site_id, "name": order.site_name},
        "profile": order.profile.value,
        "scope": {
            "first_date": (years if is_bare else dates)[0],
            "last_date": (years if is_bare else dates)[1],
            "catalog": scope.catalog,
            "verdict": scope.verdict,
        },
        "recipient": order.recipient,
        "purpose": order.purpose,
        "created_at": write_time(order.created_at),
        "created_by": None if is_bare else order.created_by,
        "created_by_role": order.created_by_role,
        "approved_by": order.approved_by if order.profile is Profile.FULL else None,
        "engine": order.engine,
        "build": order.build,
        "log": None if is_bare else order.sealed.log,
        "calls": pile.calls,
        "universe": counts,
        "records_digest": records,
    }
    return {
        "_type": names.STATEMENT,
        "predicateType": names.PREDICATE,
        "subject": [
            {"name": name, "digest": {"sha256": pile.subjects[name]}}
            for name in sorted(pile.subjects)
        ],
        "predicate": predicate,
    }

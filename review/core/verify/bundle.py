"""Verify a whole audit: container, trust, log, every call, reports; nothing is believed twice.

| code | what is refused |
| --- | --- |
| E-REPORT | reports that are about other records |
| E-KEYFILE | key files for openssl that are not those that signed |
| E-PROFILE | files or records that the profile must not hold, or must |
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO, Final

from oipsce_site.signing.core.keys import Use, public_pem
from oipsce_site.signing.core.plain import read_json, read_object, write_json
from oipsce_site.signing.core.refusals import Refused, require
from review.core.audit import names
from review.core.audit.catalog_content import read_plan
from review.core.audit.names import Profile
from review.core.audit.roster import open_roster
from review.core.predicates.plan import Plan
from review.core.signoff.record import Assurance, SignOff
from review.core.verify.call import Signed, check_call, read_record
from review.core.verify.container import Container
from review.core.verify.log import Log, check_erased, open_log, read_chain
from review.core.verify.trust import Trusted, open_trusted
from review.core.verify.verdict import Verdict, check_verdict

_BARE: Final = {"format", "call", "about", "catalog", "ended", "rows", "inputs", "outcome"}
#: What a record of another form makes Python say; each is a refusal, never a crash.
_OF_FORM: Final = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the verifier brings along: the root's id, the time, and what they already hold.

    `held` is the note of an earlier checkpoint, `newest` the time of a later audit of the same
    site, `keyring` a keyring that came another way.
    """

    root_id: str
    now: datetime
    held: bytes | None = None
    newest: datetime | None = None
    keyring: bytes | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verified audit says.

    `listed` counts the signatures whose person, role and passkey the root key has confirmed.
    """

    predicate: Mapping[str, Any]
    profile: Profile
    signed_by: tuple[str, ...]
    root_id: str
    keyring_epoch: int
    log_size: int | None
    is_consistent: bool
    witnesses: Mapping[str, int]
    verdicts: tuple[Verdict, ...]
    signatures: tuple[tuple[str, Signed], ...]
    listed: int | None

    def count(self, assurance: Assurance) -> int:
        """Return how many signatures that stand are of this assurance."""
        return sum(one.stands and one.signoff.assurance is assurance for _, one in self.signatures)


def verify_audit(file: BinaryIO, asked: Asked) -> Verified:
    """Return what the audit says, if all of it holds. Raises Refused with the first code."""
    try:
        return _verify(file, asked)
    except _OF_FORM as error:
        raise Refused("E-SHAPE", f"a file has another form ({type(error).__name__})") from None


def _verify(file: BinaryIO, asked: Asked) -> Verified:
    container = Container(file)
    trusted = open_trusted(container, asked.root_id, now=asked.now, newer=asked.keyring)
    if asked.newest is not None:
        is_new = trusted.created_at >= asked.newest
        require(is_new, "E-STALE", "the audit is older than one that is already held")
    is_bare = trusted.profile is Profile.DEIDENTIFIED
    log = None if is_bare else open_log(trusted, asked.held)
    _check_names(trusted, () if log is None else log.erased)
    plans = _read_plans(trusted)
    verdicts: list[Verdict] = []
    signatures: list[tuple[str, Signed]] = []
    digests: list[bytes] = []
    for call in trusted.calls:
        data = trusted.read(names.record_name(call))
        digests.append(hashlib.sha256(data).digest())
        record = _bare_record(data, call) if log is None else read_record(data, call)
        if log is not None:
            signed = _check_signed(trusted, log, record, call)
            _check_batches(signed, plans[record["catalog"]], call)
            signatures.extend((call, one) for one in signed)
        verdicts.append(check_verdict(record, plans[record["catalog"]]))
        shown = digests[-1].hex().encode() in trusted.read(names.sheet_name(call))
        require(shown, "E-REPORT", f"the PDF of {call} is about another record")
    if log is not None:
        _check_erased(trusted, log)
    listed = _check_roster(trusted, [one.signoff for _, one in signatures])
    _check_reports(trusted, names.records_digest(digests))
    _check_pems(trusted)
    _read_the_rest(trusted)
    return Verified(
        predicate=trusted.predicate,
        profile=trusted.profile,
        signed_by=trusted.signed_by,
        root_id=asked.root_id,
        keyring_epoch=trusted.keyring.epoch,
        log_size=None if log is None else log.checkpoint.size,
        is_consistent=asked.held is not None and log is not None,
        witnesses={} if log is None else log.witnesses,
        verdicts=tuple(verdicts),
        signatures=tuple(signatures),
        listed=listed,
    )


def _check_erased(trusted: Trusted, log: Log) -> None:
    for call in log.erased:
        name = names.erased_name(call)
        check_erased(trusted.read(name) if name in trusted.subjects else None, call, log)


def _check_roster(trusted: Trusted, signoffs: list[SignOff]) -> int | None:
    """Return how many signatures are by whom the root key lists; None where there is no roster."""
    if names.ROSTER not in trusted.subjects:
        return None
    roster = open_roster(trusted.read(names.ROSTER), trusted.keyring.root)
    own = roster.site == trusted.site_id and roster.made_at <= trusted.created_at
    require(own, "E-ROSTER", "the roster is of another site, or later than the audit")
    covered = [one for one in signoffs if roster.covers(one)]
    for one in covered:
        roster.check(one)
    return len(covered)


def _check_signed(trusted: Trusted, log: Log, record: Mapping[str, Any], call: str) -> list[Signed]:
    entries = read_chain(trusted.read(names.chain_name(call)), call, log, trusted)
    transcript = None
    if trusted.profile is Profile.FULL:
        transcript = trusted.read(names.transcript_name(call))
    signed = check_call(record, entries, trusted.profile, transcript)
    sites = {one.signoff.content.site_id for one in signed}
    require(sites == {trusted.site_id}, "E-TENANT", f"{call} was signed at another site")
    return signed


def _check_batches(signed: Sequence[Signed], plan: Plan, call: str) -> None:
    """Check that no call with a row at a critical edge was signed together with others."""
    in_batch = any(one.stands and one.in_batch for one in signed)
    alone = not (in_batch and plan.edges)
    require(alone, "E-BATCH", f"{call} has a safety-critical row and was signed in a batch")


def _bare_record(data: bytes, call: str) -> dict[str, Any]:
    what = f"the record of {call}"
    record = read_object(read_json(data, what), _BARE, what)
    own = record["format"] == names.CALL_FORMAT and record["call"] == call
    require(own and write_json(record) == data, "E-SHAPE", f"{what} is of another call or format")
    return record


def _read_plans(trusted: Trusted) -> dict[str, Plan]:
    found: dict[str, Plan] = {}
    for name in trusted.subjects:
        if name.startswith("catalogs/") and name.endswith(".json"):
            digest = name.removeprefix("catalogs/").removesuffix(".json")
            found[digest] = read_plan(trusted.read(name), digest)
    return found


def _check_names(trusted: Trusted, erased: Sequence[str]) -> None:
    """Check that there are the files of the profile and no others: nothing rides along unseen.

    The file of an erased call may be missing here; whoever reads it says so.
    """
    is_bare = trusted.profile is Profile.DEIDENTIFIED
    expected = {
        *({names.ROSTER} & set(trusted.subjects) if not is_bare else ()),
        *(names.README, names.KEYRING, names.ROOT_PEM, names.EXPORT_PEM, names.VERIFIER),
        *(names.REPORT_CSV, names.REPORT_HTML, names.REPORT_PDF),
    }
    if not is_bare:
        expected |= {names.CHECKPOINT, names.HEADS, names.CONSISTENCY, names.UNIVERSE}
    expected |= {names.erased_name(call) for call in erased} & set(trusted.subjects)
    for call in trusted.calls:
        expected |= {names.record_name(call), names.sheet_name(call)}
        if not is_bare:
            expected.add(names.chain_name(call))
        if trusted.profile is Profile.FULL:
            expected.add(names.transcript_name(call))
    here = {name for name in trusted.subjects if not name.startswith("catalogs/")}
    for name in sorted(here ^ expected):
        word = "must not be" if name in here else "is not"
        code = "E-PROFILE" if name in here else "E-MISSING"
        raise Refused(code, f"{name!a} {word} in an audit of this profile")


def _check_reports(trusted: Trusted, digest: str) -> None:
    said = trusted.predicate["records_digest"] == digest
    require(said, "E-REPORT", "the manifest is about other records")
    # The PDF carries it among its keywords, which are not packed.
    for name in (names.REPORT_CSV, names.REPORT_HTML, names.REPORT_PDF):
        shown = digest.encode() in trusted.read(name)
        require(shown, "E-REPORT", f"{name} is about other records")


def _check_pems(trusted: Trusted) -> None:
    """Check the keys that README.txt tells people to use with openssl."""
    ring = trusted.keyring
    keys = ring.of_use(Use.EXPORT)
    signers = [public_pem(keys[one].public) for one in trusted.signed_by]
    own = trusted.read(names.ROOT_PEM) == public_pem(ring.root)
    require(
        own and trusted.read(names.EXPORT_PEM) in signers,
        "E-KEYFILE",
        "the key files are not those that signed the audit",
    )


def _read_the_rest(trusted: Trusted) -> None:
    """Read what nobody has read yet, so that the digest of every file was checked."""
    for name in trusted.subjects:
        if not name.startswith("calls/"):
            trusted.read(name)

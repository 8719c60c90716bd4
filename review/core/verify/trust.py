"""From the one key that is trusted to the manifest: keyring, export key, statement.

| code | what is refused |
| --- | --- |
| E-MISSING | a file that must be there, or that the manifest lists, is not |
| E-EXTRA | a file that the manifest does not list |
| E-DIGEST | a file whose bytes are not those the manifest lists |
| E-STATEMENT | a manifest that is not the statement of an audit |
| E-SUBJECTDUP | a manifest that lists a file twice |
| E-FUTURE | an audit dated after now |
| E-STALE | an audit that is older than one already held |
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from oipsce_site.signing.core.envelope import STATEMENT_TYPE, open_envelope
from oipsce_site.signing.core.keyring import Keyring, open_keyring
from oipsce_site.signing.core.keys import Use
from oipsce_site.signing.core.plain import read_json, read_list, read_object, read_text, read_time
from oipsce_site.signing.core.refusals import require
from review.core.audit.names import KEYRING, MANIFEST, PREDICATE, STATEMENT, Profile, Why
from review.core.verify.container import Container

CLOCK_SLACK: Final = timedelta(minutes=10)
_PREDICATE: Final = {
    *("export", "site", "profile", "scope", "recipient", "purpose", "created_at", "created_by"),
    *(
        "created_by_role",
        "approved_by",
        "engine",
        "build",
        "log",
        "calls",
        "universe",
        "records_digest",
    ),
}


@dataclass(frozen=True, slots=True)
class Trusted:
    """What the signed manifest says, and the files it stands for, each checked when it is read."""

    container: Container
    keyring: Keyring
    signed_by: tuple[str, ...]
    predicate: Mapping[str, Any]
    profile: Profile
    created_at: datetime
    calls: tuple[str, ...]
    subjects: Mapping[str, str]

    @property
    def site_id(self) -> str | None:
        """The site's id; None in a de-identified audit."""
        site = self.predicate["site"]
        return None if site is None else str(site["id"])

    def read(self, name: str) -> bytes:
        """Return the bytes of a file that the manifest lists. Raises Refused."""
        require(name in self.subjects, "E-MISSING", f"{name} is not there")
        data = self.container.read(name)
        digest = hashlib.sha256(data).hexdigest()
        require(
            digest == self.subjects[name], "E-DIGEST", f"{name} is another file than was signed"
        )
        return data


def open_trusted(
    container: Container, root_id: str, *, now: datetime, newer: bytes | None = None
) -> Trusted:
    """Return what the manifest says, if the root with this id stands behind it. Raises Refused.

    `newer` is a keyring of the same root that came another way: of the two the later one counts, so
    that a revocation reaches audits that were made before it was known.
    """
    for name in (MANIFEST, KEYRING):
        require(name in container.members, "E-MISSING", f"{name} is not there")
    ring = open_keyring(container.read(KEYRING), root_id)
    if newer is not None:
        ring = max(ring, open_keyring(newer, root_id), key=lambda one: one.epoch)
    export_keys = {key: one.public for key, one in ring.of_use(Use.EXPORT).items()}
    payload, signers = open_envelope(
        container.read(MANIFEST), STATEMENT_TYPE, export_keys, "the manifest"
    )
    statement = read_json(payload, "the manifest")
    predicate = _read_predicate(statement)
    created_at = read_time(predicate["created_at"], "the time of the audit")
    require(created_at <= now + CLOCK_SLACK, "E-FUTURE", "the audit is dated after now")
    counted = all(ring.of_use(Use.EXPORT)[one].counts_at(created_at) for one in signers)
    require(counted, "E-KEYWINDOW", "the export key did not count when the audit was made")
    subjects = _read_subjects(statement)
    _check_files(container, subjects)
    return Trusted(
        container=container,
        keyring=ring,
        signed_by=tuple(sorted(signers)),
        predicate=predicate,
        profile=Profile(predicate["profile"]),
        created_at=created_at,
        calls=_read_calls(predicate["calls"]),
        subjects=subjects,
    )


def _read_predicate(statement: object) -> Mapping[str, Any]:
    what = "the manifest"
    plain = read_object(statement, {"_type", "predicateType", "subject", "predicate"}, what)
    of_audit = plain["_type"] == STATEMENT and plain["predicateType"] == PREDICATE
    require(of_audit, "E-STATEMENT", f"{what} is not the statement of an audit")
    predicate = read_object(plain["predicate"], _PREDICATE, what)
    known = predicate["profile"] in {profile.value for profile in Profile}
    require(known, "E-STATEMENT", f"{what} names an unknown profile")
    is_bare = predicate["profile"] == Profile.DEIDENTIFIED.value
    require(
        is_bare == (predicate["site"] is None) == (predicate["log"] is None),
        "E-STATEMENT",
        f"{what} does not fit its profile",
    )
    if predicate["profile"] == Profile.FULL.value:
        second = predicate["approved_by"]
        require(isinstance(second, str), "E-STATEMENT", f"{what} names no second person")
    if not is_bare:
        read_object(predicate["site"], {"id", "name"}, "the site of the manifest")
        read_text(predicate["log"], "the log of the manifest")
    counts = read_object(predicate["universe"], {why.value for why in Why}, "the counts of calls")
    included = counts[Why.INCLUDED.value] == len(read_list(predicate["calls"], "the calls"))
    require(included, "E-STATEMENT", f"{what} counts its calls wrongly")
    return predicate


def _read_calls(value: object) -> tuple[str, ...]:
    calls = tuple(read_text(one, "a call") for one in read_list(value, "the calls"))
    ordered = list(calls) == sorted(set(calls))
    require(ordered, "E-STATEMENT", "the calls of the manifest repeat or are not in order")
    return calls


def _read_subjects(statement: Any) -> dict[str, str]:
    subjects: dict[str, str] = {}
    for one in read_list(statement["subject"], "the files of the manifest"):
        plain = read_object(one, {"name", "digest"}, "a file of the manifest")
        digest = read_object(plain["digest"], {"sha256"}, "a digest of the manifest")
        name = read_text(plain["name"], "the name of a file")
        require(name not in subjects, "E-SUBJECTDUP", f"the manifest lists {name!a} twice")
        subjects[name] = read_text(digest["sha256"], "a digest of the manifest")
    return subjects


def _check_files(container: Container, subjects: Mapping[str, str]) -> None:
    here = set(container.members) - {MANIFEST}
    for name in sorted(here - set(subjects)):
        require(False, "E-EXTRA", f"{name} is not listed in the manifest")
    for name in sorted(set(subjects) - here):
        require(False, "E-MISSING", f"{name!a} is listed in the manifest and not there")

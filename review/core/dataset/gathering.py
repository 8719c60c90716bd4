"""The labels of a de-identified audit: it is verified first, then read record by record.

The audit discloses no words, people, days or sources; the labels are made of its records alone, so
they cannot say more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from oipsce_site.signing.core.plain import read_json
from oipsce_site.signing.core.refusals import require
from review.core.audit import names
from review.core.audit.catalog_content import read_plan
from review.core.audit.names import Profile
from review.core.dataset.labels import FORMAT, Plain, edge_labels, phase_label
from review.core.predicates import Plan
from review.core.row_values import row_from_json
from review.core.verify.bundle import Asked, verify_audit
from review.core.verify.container import Container
from review.core.verify.trust import Trusted, open_trusted
from review.core.verify.verdict import decided


@dataclass(frozen=True, slots=True)
class Gathered:
    """The labels of an audit's calls, and by digest the slug and version of their catalogs."""

    labels: tuple[Plain, ...]
    catalogs: dict[str, tuple[str, str]]


def read_audit_labels(file: BinaryIO, asked: Asked) -> Gathered:
    """Return the labels of the calls of an audit, in its order.

    Raises Refused for an audit that does not verify, and with E-PROFILE for one that discloses more
    than a de-identified one.
    """
    verified = verify_audit(file, asked)
    said = "a data set is made of a de-identified audit; order one with that profile"
    require(verified.profile is Profile.DEIDENTIFIED, "E-PROFILE", said)
    trusted = open_trusted(Container(file), asked.root_id, now=asked.now, newer=asked.keyring)
    known = {digest: (plan, name) for digest, plan, name in _catalogs(trusted)}
    labels = []
    for call in trusted.calls:
        record = read_json(trusted.read(names.record_name(call)), f"the record of {call}")
        plan, name = known[record["catalog"]]
        labels.append(_label(record, plan, name))
    return Gathered(tuple(labels), {digest: name for digest, (_, name) in known.items()})


def _catalogs(trusted: Trusted) -> Iterator[tuple[str, Plan, tuple[str, str]]]:
    for name in trusted.subjects:
        if name.startswith("catalogs/") and name.endswith(".json"):
            content = trusted.read(name)
            digest = name.removeprefix("catalogs/").removesuffix(".json")
            data = read_json(content, name)
            yield digest, read_plan(content, digest), (str(data["catalog"]), str(data["version"]))


def _label(record: Plain, plan: Plan, name: tuple[str, str]) -> Plain:
    rows = {row["phase"]: row_from_json(row) for row in record["rows"]}
    decision, is_derived = decided(record, plan, rows)
    return {
        "format": FORMAT,
        "call": record["call"],
        "year": record["about"]["year"],
        "ended": record["ended"],
        "catalog": {"slug": name[0], "version": name[1], "digest": record["catalog"]},
        "phases": [phase_label(rows[outcome.phase], outcome) for outcome in decision.phases],
        "edges": edge_labels(decision.edges),
        **record["outcome"],
        "derived": is_derived,
    }

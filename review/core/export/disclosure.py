"""What each profile discloses of a call, as the plain values of its record.

| | full | minimum | deidentified |
| --- | --- | --- | --- |
| transcript | yes | - | - |
| quotes of evidence | yes | yes | - |
| facts and attributes | all | those that decide | those that decide and are true or false |
| reasons that people typed | yes | - | - |
| external id, date, source | yes | yes | year only |
| title | yes | - | - |
| rows, outcomes | yes | yes | yes, without ids of people, events and items |
| decisions, sign-offs, chain, evaluation | yes | yes (no evaluation) | - |
| ids of calls | yes | yes | pseudonyms that only this audit has |

What is left out of `full` and `minimum` leaves its commitment behind, so the signed digests verify.
A de-identified record holds no commitment and no digest of anything about a person: it is as good
as the signature of whoever exported it.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from oipsce_site.signing.core.plain import write_base64, write_time
from review.core.audit.names import CALL_FORMAT, Profile
from review.core.export.order import CallFile, DecisionFile, Opened
from review.core.row_values import row_to_json
from review.core.rows import Attempt, Evidence, Row
from review.core.signoff.content import Input, scalar_to_json
from review.core.signoff.passkey import assertion_to_json

Plain = dict[str, Any]
_PERSON: Final = "person:"
_ABOUT: Final = {
    Profile.FULL: ("external_id", "title", "source", "date"),
    Profile.MINIMUM: ("external_id", "source", "date"),
}


def pseudonym(secret: bytes, call_id: str) -> str:
    """Return the name of a call in one de-identified audit; from another secret it is another."""
    digest = hmac.new(secret, b"oip-sce/pseudonym/v1\0" + call_id.encode(), hashlib.sha256).digest()
    return str(UUID(bytes=digest[:16], version=4))


def disclose(call: CallFile, profile: Profile, deciding: frozenset[tuple[str, str]]) -> Plain:
    """Return a call's record under a profile that is not the de-identified one.

    `deciding` are the kinds and names of the inputs that the catalog's requirements read.
    """
    opened = [one for one in call.inputs if _is_open(one, profile, deciding)]
    return {
        "format": CALL_FORMAT,
        "call": call.call_id,
        "about": {name: call.about.get(name) for name in _ABOUT[profile]},
        "catalog": call.catalog_digest,
        "ended": call.ended,
        "rows": [row_to_json(call.rows[phase]) for phase in sorted(call.rows)],
        "inputs": [_input(one, opened) for one in _sorted_inputs(call)],
        "evidence": [_evidence(one) for one in call.evidence],
        "decisions": [_decision(one, profile, deciding) for one in call.decisions],
        "signoffs": [
            {
                "record": write_base64(one.record),
                "assertion": None if one.assertion is None else assertion_to_json(one.assertion),
            }
            for one in call.signoffs
        ],
        "evaluation": dict(call.evaluation) if profile is Profile.FULL else None,
        "outcome": _outcome(call),
    }


def deidentify(call: CallFile, name: str, deciding: frozenset[tuple[str, str]]) -> Plain:
    """Return a call's record without anything that names a person, a day or a source."""
    opened = [one for one in call.inputs if _is_open(one, Profile.DEIDENTIFIED, deciding)]
    return {
        "format": CALL_FORMAT,
        "call": name,
        "about": {"year": (call.about.get("date") or "")[:4] or None},
        "catalog": call.catalog_digest,
        "ended": call.ended,
        "rows": [row_to_json(row) for row in _bare_rows(call.rows)],
        "inputs": [
            {"kind": one.kind.value, "name": one.name}
            | ({"value": scalar_to_json(one.value)} if one in opened else {})
            for one in _sorted_inputs(call)
            if (one.kind.value, one.name) in deciding
        ],
        "outcome": _outcome(call),
    }


def _is_open(one: Input, profile: Profile, deciding: frozenset[tuple[str, str]]) -> bool:
    decides = (one.kind.value, one.name) in deciding
    if profile is Profile.FULL:
        return True
    if profile is Profile.MINIMUM:
        return decides
    return decides and (one.value is None or isinstance(one.value, bool))


def _sorted_inputs(call: CallFile) -> list[Input]:
    return sorted(call.inputs, key=lambda one: (one.kind.value, one.name))


def _input(one: Input, opened: list[Input]) -> Plain:
    plain: Plain = {"kind": one.kind.value, "name": one.name, "commitment": one.commitment}
    if one in opened:
        plain |= {"nonce": one.nonce.hex(), "value": scalar_to_json(one.value)}
    return plain


def _evidence(one: Opened) -> Plain:
    piece = one.piece
    plain: Plain = {
        "phase": piece.phase,
        "item": piece.item,
        "turn": piece.turn,
        "start": piece.start,
        "end": piece.end,
        "commitment": piece.commitment,
    }
    if one.nonce is not None and one.text is not None:
        plain |= {"nonce": one.nonce.hex(), "text": one.text}
    return plain


def _decision(one: DecisionFile, profile: Profile, deciding: frozenset[tuple[str, str]]) -> Plain:
    # A fact that is not disclosed is not disclosed through the decision that set it either.
    is_hidden = profile is Profile.MINIMUM and bool(one.fact) and ("fact", one.fact) not in deciding
    plain: Plain = {
        "number": one.number,
        "kind": one.kind,
        "by": one.by,
        "role": one.role,
        "phase": one.phase,
        "fact": one.fact,
        "value": None if is_hidden else dict(one.value),
        "at": write_time(one.at),
        "revision": one.revision,
    }
    is_open = profile is Profile.FULL and one.reason is not None and one.reason_nonce is not None
    if is_open and one.reason_nonce is not None:
        plain |= {"reason": one.reason, "reason_nonce": one.reason_nonce.hex()}
    return plain


def _outcome(call: CallFile) -> Plain:
    return {
        "coverage": call.coverage,
        "order_safe": call.order_safe,
        "call_success": call.call_success,
    }


def _bare_rows(rows: Mapping[str, Row]) -> list[Row]:
    """Return rows, sorted, in which nothing names a person, an event of a source or an item."""
    keys = sorted({one.key or "" for row in rows.values() for one in row.instances or ()})
    names = {key: f"item-{number}" for number, key in enumerate(keys, 1)}
    return [_bare(rows[phase], names) for phase in sorted(rows)]


def _bare(row: Row, names: Mapping[str, str]) -> Row:
    return row._replace(
        key=None if row.key is None else names.get(row.key, "item"),
        evidence=tuple(_bare_piece(one) for one in row.evidence),
        items=tuple(
            item._replace(candidates=tuple(_bare_piece(one) for one in item.candidates))
            for item in row.items
        ),
        attempts=tuple(_bare_attempt(one) for one in row.attempts),
        instances=None
        if row.instances is None
        else tuple(_bare(one, names) for one in row.instances),
        start_source=_bare_source(row.start_source),
        finish_source=_bare_source(row.finish_source),
        unacknowledged=(),
    )


def _bare_piece(one: Evidence) -> Evidence:
    event = None if one.event is None else "event"
    return one._replace(source=_bare_source(one.source) or "", event=event)


def _bare_attempt(one: Attempt) -> Attempt:
    event = None if one.event is None else "event"
    return one._replace(source=_bare_source(one.source) or "", event=event)


def _bare_source(source: str | None) -> str | None:
    is_person = source is not None and source.startswith(_PERSON)
    return "person" if is_person else source

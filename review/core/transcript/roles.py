"""Roles: from the labels of a source to the roles a catalog declares. Proposed here, confirmed by a
person.

A role is never filled by alternation: a label that no table entry names, or that could be two
declared roles, stays open with ``role_unknown``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from catalogs.core.findings import Finding, warning
from review.core.transcript.model import Call, Speaker, Turn, TurnKind

#: What a person chooses for a voice that is none of the catalog's roles. No catalog can declare it
#: (role keys have no blanks), so its turns are read by no matcher and leave their doubt.
NOT_READ = "not read"

_HUMAN_CALLERS = ("caller", "patient", "member", "beneficiary", "consumer", "customer")

#: Well-known labels of speakers and the declared roles each may stand for.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "doctor": ("clinician",),
    "physician": ("clinician",),
    "nurse": ("nurse", "clinician"),
    "provider": ("clinician",),
    "patient": ("patient", "caller"),
    "caregiver": ("patient", "caller"),
    "assistant": ("agent",),
    "bot": ("agent",),
    "ai": ("agent",),
    "ai_agent": ("agent",),
    "human_agent": ("agent",),
    "system": ("system",),
    "representative": ("rep",),
    "payer_rep": ("rep",),
    "user": _HUMAN_CALLERS,
    "customer": _HUMAN_CALLERS,
    "caller": _HUMAN_CALLERS,
    "member": _HUMAN_CALLERS,
    "hold": ("system",),
}

TOOL_KINDS = (TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT)
_SETTLED_BY_A_ROLE = frozenset({"role_unknown", "missing_speaker"})


class RoleOrigin(Enum):
    """Why a role is proposed. Only ALIAS waits for a person: a table of ours is no confirmation."""

    KEY = "the source's own word is the catalog's"
    CONFIRMED = "a person confirmed it for this source"
    ALIAS = "a usual name of the role"


@dataclass(frozen=True, slots=True)
class ProposedRole:
    """A speaker who speaks, and the role proposed; both None where nothing says which.

    `word` is what the source calls the voice, and what a remembered map knows it by.
    """

    key: str
    word: str
    role: str | None
    origin: RoleOrigin | None


def apply_role_map(call: Call, roles: Mapping[str, str]) -> Call:
    """Return the call with roles set for the speaker keys of `roles`; other speakers keep theirs.

    The flags ``role_unknown`` and ``missing_speaker`` go where a turn has got its role.
    """
    speakers = {
        key: _with_role(speaker, roles[key]) if key in roles else speaker
        for key, speaker in call.speakers.items()
    }
    for key in roles.keys() - speakers.keys():
        if any(turn.speaker == key for turn in call.turns):
            speakers[key] = Speaker(key, roles[key], key)
    turns = []
    for turn in call.turns:
        turns.append(_in_role(turn, roles[turn.speaker]) if turn.speaker in roles else turn)
    open_codes = {code for turn in turns for code in turn.flags}
    if any(speaker.role is None for speaker in speakers.values()):
        open_codes.add("role_unknown")
    flags = tuple(
        code for code in call.flags if code not in _SETTLED_BY_A_ROLE or code in open_codes
    )
    return replace(call, speakers=speakers, turns=tuple(turns), flags=flags)


def propose_role_map(
    call: Call, declared_roles: Collection[str]
) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """Propose a role for every speaker key that speaks, among the roles a catalog declares.

    A speaker's own role, key or label counts first, then the table of synonyms if exactly one of
    its roles is declared. Each speaker left open gives a ``role_unknown`` finding; one that a
    person left unread gives neither.
    """
    proposed = propose_roles(call, declared_roles)
    open_roles = [open_role(call, one.key, declared_roles) for one in proposed if one.role is None]
    return {one.key: one.role for one in proposed if one.role is not None}, tuple(open_roles)


def propose_roles(
    call: Call, declared_roles: Collection[str], confirmed: Mapping[str, str] | None = None
) -> tuple[ProposedRole, ...]:
    """Propose a role for every speaker that speaks, in the order in which they first speak.

    `confirmed` is the map that a person confirmed for calls of this source, by `word_of`; it counts
    before everything else. A speaker that a person left unread is passed over.
    """
    known = confirmed or {}
    proposals = []
    for key in dict.fromkeys(turn.speaker for turn in call.turns if turn.kind not in TOOL_KINDS):
        speaker = call.speakers.get(key, Speaker(key, None, key))
        if speaker.role == NOT_READ:
            continue
        word = word_of(speaker)
        role, origin = _role_for(speaker, declared_roles)
        remembered = known.get(word)
        if remembered == NOT_READ or remembered in declared_roles:
            role, origin = remembered, RoleOrigin.CONFIRMED
        proposals.append(ProposedRole(key, word, role, origin))
    return tuple(proposals)


def word_of(speaker: Speaker) -> str:
    """Return what the source calls a voice: the role it states, else the key of the speaker.

    Letter case, blanks and ``_`` do not count.

    >>> word_of(Speaker("p1", "Human_Agent", "Ann"))
    'human agent'
    """
    word = speaker.stated or speaker.role or speaker.key
    return " ".join(word.replace("_", " ").casefold().split())


def _in_role(turn: Turn, role: str) -> Turn:
    flags = tuple(code for code in turn.flags if code not in _SETTLED_BY_A_ROLE)
    if role == turn.role and flags == turn.flags:
        return turn
    return replace(turn, role=role, flags=flags)


def _with_role(speaker: Speaker, role: str) -> Speaker:
    if role == speaker.role:
        return speaker
    return replace(speaker, role=role, stated=speaker.stated or speaker.role or speaker.key)


def _role_for(speaker: Speaker, declared: Collection[str]) -> tuple[str | None, RoleOrigin | None]:
    words = [word.strip().lower() for word in (speaker.role, speaker.key, speaker.label) if word]
    for word in words:
        if word in declared:
            return word, RoleOrigin.KEY
    for word in words:
        candidates = [role for role in SYNONYMS.get(word, ()) if role in declared]
        if len(candidates) == 1:
            return candidates[0], RoleOrigin.ALIAS
    return None, None


def open_role(call: Call, key: str, declared: Collection[str]) -> Finding:
    """Return the finding about a speaker whose role nothing says."""
    sentence = (
        f"Nothing says which role the speaker {key!r} has; the catalog knows "
        f"{', '.join(sorted(declared))}. "
        "Choose one."
    )
    return warning("role_unknown", f"{call.id}, speaker {key}", sentence)

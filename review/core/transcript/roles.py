"""Roles: from the labels of a source to the roles a catalog declares. Proposed here, confirmed by a
person.

A role is never filled by alternation: a label that no table entry names, or that could be two
declared roles, stays open with ``role_unknown``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from catalogs.core.findings import Finding, warning
from review.core.transcript.model import Call, Speaker, TurnKind

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

_TOOLS = (TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT)
_SETTLED_BY_A_ROLE = frozenset({"role_unknown", "missing_speaker"})


def apply_role_map(call: Call, roles: Mapping[str, str]) -> Call:
    """Return the call with roles set for the speaker keys of `roles`; other speakers keep theirs.

    The flags ``role_unknown`` and ``missing_speaker`` go where a turn has got its role.
    """
    speakers = {
        key: replace(speaker, role=roles.get(key, speaker.role))
        for key, speaker in call.speakers.items()
    }
    for key in roles.keys() - speakers.keys():
        if any(turn.speaker == key for turn in call.turns):
            speakers[key] = Speaker(key, roles[key], key)
    turns = []
    for turn in call.turns:
        if turn.speaker in roles:
            flags = tuple(code for code in turn.flags if code not in _SETTLED_BY_A_ROLE)
            turn = replace(turn, role=roles[turn.speaker], flags=flags)
        turns.append(turn)
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
    its roles is declared. Each speaker left open gives a ``role_unknown`` finding.
    """
    proposed: dict[str, str] = {}
    findings: list[Finding] = []
    for key in dict.fromkeys(turn.speaker for turn in call.turns if turn.kind not in _TOOLS):
        speaker = call.speakers.get(key, Speaker(key, None, key))
        role = _role_for(speaker, declared_roles)
        if role is None:
            findings.append(_open_role(call, speaker, declared_roles))
        else:
            proposed[key] = role
    return proposed, tuple(findings)


def _role_for(speaker: Speaker, declared: Collection[str]) -> str | None:
    words = [word.strip().lower() for word in (speaker.role, speaker.key, speaker.label) if word]
    for word in words:
        if word in declared:
            return word
    for word in words:
        candidates = [role for role in SYNONYMS.get(word, ()) if role in declared]
        if len(candidates) == 1:
            return candidates[0]
    return None


def _open_role(call: Call, speaker: Speaker, declared: Collection[str]) -> Finding:
    sentence = (
        f"Nothing says which role the speaker {speaker.key!r} has; the catalog knows "
        f"{', '.join(sorted(declared))}. "
        "Choose one."
    )
    return warning("role_unknown", f"{call.id}, speaker {speaker.key}", sentence)

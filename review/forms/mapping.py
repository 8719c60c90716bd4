"""The forms about who speaks: roles, doubts, a swap, reasons. They check shape, not sense."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from review.core.transcript import (
    NOT_READ,
    Call,
    Doubt,
    ProposedRole,
    RoleOrigin,
    Swap,
    Voice,
)
from review.forms.call_settings import LOST

_HINTS = {
    RoleOrigin.KEY: "the file says so",
    RoleOrigin.CONFIRMED: "confirmed earlier for this source",
    RoleOrigin.ALIAS: "a usual name of this role: check it",
    None: "nothing says which",
}
_SHOWN_TURNS = 12


@dataclass(frozen=True, slots=True)
class RoleRow:
    """A speaker on the page with the field that asks for the role, and why it is filled so."""

    voice: Voice
    field: forms.BoundField
    hint: str


class RolesForm(forms.Form):
    """A role for every speaker, an acceptance for every doubt, and whether to remember the map."""

    use_required_attribute = False

    remember = forms.BooleanField(
        label="Remember these roles for calls of this source", required=False
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        voices: Sequence[Voice],
        doubts: Sequence[Doubt],
        proposed: Sequence[ProposedRole],
        declared: Mapping[str, str],
        shown: Mapping[str, Any] | None = None,
    ) -> None:
        """Make the form; `shown` keeps answers on a page that is only looked at, unchecked."""
        self._voices = voices
        self._proposed = {one.key: one for one in proposed}
        self._declared = declared
        self._doubts = doubts
        self._shown = shown
        remember = (
            not any(map(_is_numbered, voices)) if shown is None else bool(shown.get("remember"))
        )
        super().__init__(data, initial={"remember": remember})
        options = [
            ("", "Choose a role"),
            *((role, f"{role.replace('_', ' ')}: {text}") for role, text in declared.items()),
            (NOT_READ, "none of these: leave its turns unread"),
        ]
        for voice in voices if declared else ():
            self.fields[field_of(voice.key)] = forms.ChoiceField(
                label=f"Role of {voice.label or 'the unnamed speaker'}",
                choices=options,
                initial=self._initial(voice),
                error_messages={
                    "required": "Choose a role, or leave the speaker unread.",
                    "invalid_choice": "This catalog has no role %(value)s; choose again.",
                },
            )
        for doubt in doubts:
            self.fields[f"accept_{doubt.code}"] = forms.BooleanField(
                initial=bool((shown or {}).get(f"accept_{doubt.code}")),
                label=f"{doubt.code.replace('_', ' ')}: {_turns(doubt)}",
                error_messages={
                    "required": (
                        "Look at it and accept the file's order, or withdraw the call below."
                    )
                },
            )

    def role_rows(self) -> Iterator[RoleRow]:
        """Yield the speakers with their fields, for the page."""
        for voice in self._voices:
            name = field_of(voice.key)
            if name in self.fields:
                found = self._proposed.get(voice.key)
                yield RoleRow(voice, self[name], _HINTS[found.origin if found else None])

    def doubt_fields(self) -> Iterator[forms.BoundField]:
        """Yield the fields of the doubts about order, for the page."""
        for doubt in self._doubts:
            yield self[f"accept_{doubt.code}"]

    def roles(self) -> dict[str, str]:
        """Return the roles as typed or, on a fresh page, as proposed; open ones are left out."""
        chosen = {}
        for voice in self._voices:
            name = field_of(voice.key)
            if name not in self.fields:
                continue
            role = self.cleaned_data.get(name) if self.is_bound else self._initial(voice)
            if role:
                chosen[voice.key] = role
        return chosen

    def accepted(self) -> frozenset[str]:
        """Return the codes that were accepted."""
        return frozenset(
            one.code for one in self._doubts if self.cleaned_data.get(f"accept_{one.code}")
        )

    def _initial(self, voice: Voice) -> str:
        kept = str((self._shown or {}).get(field_of(voice.key), ""))
        if kept == NOT_READ or kept in self._declared:
            return kept
        if voice.role == NOT_READ:
            return NOT_READ
        found = self._proposed.get(voice.key)
        return (found.role or "") if found else ""


class SwapForm(forms.Form):
    """Two speakers to exchange in a range of turns."""

    use_required_attribute = False

    expected = forms.IntegerField(
        min_value=1, widget=forms.HiddenInput, error_messages={"required": LOST, "invalid": LOST}
    )
    first = forms.IntegerField(label="From turn", min_value=0)
    last = forms.IntegerField(label="To turn", min_value=0)

    def __init__(
        self, data: Mapping[str, Any] | None, call: Call, voices: Sequence[Voice], revision: int
    ) -> None:
        keys = dict.fromkeys([*(one.key for one in voices), *call.speakers])
        labels = {key: one.label for key, one in call.speakers.items()}
        self._keys = {field_of(key): key for key in keys}
        numbers = [turn.number for turn in call.turns]
        names = list(self._keys)
        super().__init__(
            data,
            initial={
                "expected": revision,
                "first": numbers[0],
                "last": numbers[-1],
            },
        )
        choices = [(name, labels.get(key, key) or "no speaker") for name, key in self._keys.items()]
        for name, label, initial in (
            ("one", "Speaker", names[0]),
            ("other", "And speaker", names[-1]),
        ):
            self.fields[name] = forms.ChoiceField(label=label, choices=choices, initial=initial)

    def swap(self) -> Swap:
        """Return the swap of a valid form."""
        given = self.cleaned_data
        return Swap(
            given["first"], given["last"], self._keys[given["one"]], self._keys[given["other"]]
        )


class ReasonForm(forms.Form):
    """Why a call is withdrawn or sent back."""

    use_required_attribute = False

    reason = forms.CharField(
        label="Reason",
        widget=forms.Textarea(attrs={"rows": 2}),
        strip=False,
        required=False,
        help_text="Kept sealed with the call; the next person reads it on this page.",
    )


def field_of(key: str) -> str:
    """Return the name of a speaker's field: a key may hold any character, a name may not."""
    return "role_" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _is_numbered(voice: Voice) -> bool:
    """Say whether a label only numbers a voice: the number is another person in the next call."""
    return not voice.label.strip() or voice.label.strip()[-1:].isdigit()


def _turns(doubt: Doubt) -> str:
    if not doubt.turns:
        return "the whole call"
    named = ", ".join(str(number) for number in doubt.turns[:_SHOWN_TURNS])
    rest = len(doubt.turns) - _SHOWN_TURNS
    word = "turn" if len(doubt.turns) == 1 else "turns"
    return f"{word} {named}" + (f" and {rest} more" if rest > 0 else "")

"""Turns of a contact centre's transcript as AWS writes them: who, words, milliseconds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from review.core.transcript.drafting import Draft
from review.core.transcript.gathering import CallFindings
from review.core.transcript.json_files import label_of, objects_in, text_in
from review.core.transcript.moments import scaled
from review.core.transcript.speech import Segment, say_segments

_MS = "0.001"


def read_contact_turns(raw: Mapping[str, Any], who: str, found: CallFindings) -> Draft:
    """Read the list ``Transcript``; `who` is the key of a turn that names its participant.

    Raises RefusedInput for what is no list of objects.
    """
    draft = Draft(found)
    say_segments(
        (
            Segment(
                label_of(turn.get(who)),
                text_in(turn, "Content"),
                scaled(turn.get("BeginOffsetMillis"), _MS),
                scaled(turn.get("EndOffsetMillis"), _MS),
            )
            for turn in objects_in(raw, "Transcript", found=found)
        ),
        draft,
    )
    return draft

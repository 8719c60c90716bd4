"""Why a signature is refused: each refusal is a sentence, and its page knows the status."""

from __future__ import annotations


class UnableToSign(Exception):
    """What was sent does not sign; `field` names what to correct (empty: the whole)."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class StaleSigning(Exception):
    """The call is no longer as the signer saw it, and nothing is signed; `changes` say why."""

    def __init__(self, sentence: str, changes: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.changes = changes

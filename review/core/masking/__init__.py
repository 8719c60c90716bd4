"""Identifiers of people in a call: found by patterns, masked without moving a single offset.

The one finder of the product: what shows a call to people masks by it. A de-identified audit
(`review.core.export.disclosure`) discloses no text at all, and so needs to find nothing.
"""

from review.core.masking.kinds import WORDS, Identifier, IdentifierKind
from review.core.masking.masker import MASK, Masker, is_masked, masker_of, masker_of_plain

__all__ = [
    "MASK",
    "WORDS",
    "Identifier",
    "IdentifierKind",
    "Masker",
    "is_masked",
    "masker_of",
    "masker_of_plain",
]

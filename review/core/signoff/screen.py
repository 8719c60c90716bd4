"""What a signer had on the screen: one digest of it, which a form brings back.

It holds still while nothing changes, unlike the record, which has nonces and a time of its own.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Final

from oipsce_site.signing.core.plain import write_json
from review.core.signoff.content import SignedContent

SCREEN_DOMAIN: Final = b"oip-sce/signing-screen/v1\0"


def screen_digest(content: SignedContent) -> str:
    """Return the digest over everything in the content but the nonces of its inputs.

    Facts are in it by the decisions on them and by the evaluation that they led to.
    """
    plain = asdict(content)
    del plain["inputs_digest"]
    return hashlib.sha256(SCREEN_DOMAIN + write_json(plain)).hexdigest()

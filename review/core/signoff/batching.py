"""Several calls signed in one act: one passkey signs one digest over the digests of all records.

Each call has its record and its signature of its own; what they share is the passkey's answer. The
digest is SHA-256 over ``oip-sce/sign-batch/v1``, NUL and the sorted digests as canonical JSON, so
no answer to it is one to a single record.

| code | what is refused |
| --- | --- |
| E-BATCH | a list that is too long, not sorted, or without the record; a call at a critical edge |
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final

from oipsce_site.signing.core.plain import write_json
from oipsce_site.signing.core.refusals import require

MOST_CALLS: Final = 25
BATCH_DOMAIN: Final = b"oip-sce/sign-batch/v1\0"
_HEX: Final = re.compile(r"[0-9a-f]{64}")


def batch_digest(digests: Sequence[str]) -> bytes:
    """Return what a passkey signs for these records, given by their digests in hex, in order.

    Raises Refused.
    """
    ordered = list(digests) == sorted(set(digests))
    require(
        1 <= len(digests) <= MOST_CALLS and ordered,
        "E-BATCH",
        f"a batch is 1 to {MOST_CALLS} records, sorted by their digests, each once",
    )
    are_digests = all(_HEX.fullmatch(one) for one in digests)
    require(are_digests, "E-BATCH", "a batch names something that is no digest")
    return hashlib.sha256(BATCH_DOMAIN + write_json(list(digests))).digest()


def check_batched(digest: str, batch: Sequence[str]) -> bytes:
    """Return what a passkey signed for the record with this digest and the others of its batch.

    Raises Refused for a batch that does not have the record.
    """
    require(digest in batch, "E-BATCH", "a record is not in the batch that was signed")
    return batch_digest(batch)

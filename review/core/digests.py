"""Canonical bytes and digests for what is written hundreds of times a second.

The same bytes as `catalogs.core.canonical`, which the verifier of strangers carries and so has to
do without other packages.
"""

from __future__ import annotations

import hashlib

import orjson

from catalogs.core import canonical


def canonical_bytes(value: object) -> bytes:
    """Return the canonical JSON of a value. Raises CanonicalError for what has no exact form.

    >>> canonical_bytes({"b": 2, "a": [True, None]})
    b'{"a":[true,null],"b":2}'
    """
    if canonical.is_plain(value):
        try:
            return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
        except orjson.JSONEncodeError:
            # A number of over 64 bits, or half of a character: there the place is found.
            pass
    return canonical.canonical_bytes(value)


def digest(value: object) -> str:
    """Return the SHA-256 of the canonical bytes as 64 lower-case hexadecimal digits. Raises
    CanonicalError.
    """
    return hashlib.sha256(canonical_bytes(value)).hexdigest()

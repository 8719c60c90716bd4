"""README.txt of an audit: what it is, and how a stranger verifies it."""

from __future__ import annotations

from typing import Final

from oipsce_site.signing.core.envelope import KEYRING_TYPE, STATEMENT_TYPE


def write_readme(*, export_id: str, root_fingerprint: str, is_deidentified: bool) -> bytes:
    """Return the text."""
    text = _TEXT
    for mark, words in {
        "@EXPORT@": export_id,
        "@ROOT@": root_fingerprint,
        "@KEYRING@": f"{len(KEYRING_TYPE)} {KEYRING_TYPE}",
        "@STATEMENT@": f"{len(STATEMENT_TYPE)} {STATEMENT_TYPE}",
        "@LIMITS@": _DEIDENTIFIED if is_deidentified else _WITH_CHAINS,
    }.items():
        text = text.replace(mark, words)
    return text.encode("utf-8")


# A raw text: what it shows is for a shell. A test unpacks an audit and runs these lines.
_TEXT: Final = r"""Signed audit @EXPORT@

Every file here is listed by its SHA-256 in manifest.dsse.json, which is signed with Ed25519. Verify
against the fingerprint of the installation's root key that you were given by another way, such as
your contract. This file says it is

  @ROOT@

but a forger would write a fingerprint of their own here.

1. With the verifier

   Ask for oip_verify.py by another way than this file, or compare the SHA-256 of the copy in here
   with the one that was published. It needs Python 3.11 or newer and the package cryptography:

     python3 oip_verify.py NAME.oipaudit.zip --root FINGERPRINT

   It ends with 0 and VERIFIED, or with 1 and the reason. Keep proofs/checkpoint.txt: given to the
   next verification (--checkpoint FILE) it shows that history was not rewritten in between.

2. With openssl alone

   Unpack the file, go into the folder, and run these lines in a shell:

     payload() { sed 's/.*"payload":"\([^"]*\)".*/\1/' "$1" | base64 -d; }
     signature() { sed 's/.*"sig":"\([^"]*\)".*/\1/' "$1" | base64 -d; }
     check() {
       payload "$1" > p.bin
       { printf 'DSSEv1 %s %d ' "$3" "$(wc -c < p.bin)"; cat p.bin; } > m.bin
       signature "$1" > s.bin
       openssl pkeyutl -verify -pubin -inkey "$2" -rawin -in m.bin -sigfile s.bin
     }
     { printf 'oip-sce/key/v1\0ed25519\0'
       openssl pkey -pubin -in keys/root.pem -outform DER | tail -c 32; } | sha256sum
     check keys/keyring.dsse.json keys/root.pem '@KEYRING@'
     check manifest.dsse.json keys/export.pem '@STATEMENT@'
     payload manifest.dsse.json | sed 's/},{/}\n{/g' |
       sed -n 's/.*"sha256":"\([0-9a-f]*\)"},"name":"\([^"]*\)".*/\1  \2/p' > digests.txt
     sha256sum --check --quiet digests.txt && echo "every file is the listed one"

   The first line of output is the root key's fingerprint: compare it. Then "Signature Verified
   Successfully" comes twice, for the keyring and for the manifest, and the last line says that
   the files are those of the manifest.

   This does not check that keys/export.pem is an export key of the keyring, the chains, the
   signatures of people and the verdicts. The verifier does.

3. What it shows, and what it does not

@LIMITS@
"""
_WITH_CHAINS: Final = """\
   The decision log of each call, up to a checkpoint that the log's key has signed; that no chain of
   the site was left out of it and none was cut; who signed which record, and by whose key; and that
   the verdicts follow from the signed rows by the catalog's rules.
   Why a call is not in here is the exporter's word; that it exists is proven (universe.json).
   A signature marked server-attested was proven to the server, not to you.
   Whoever holds the export key and the log key could have rewritten history before you held your
   first checkpoint; ask for a witness's.
   A call that was erased after this export goes on verifying here: this copy is yours."""
_DEIDENTIFIED: Final = """\
   That the exporter signed these rows, and that the verdicts follow from them by the catalog's
   rules. Names, dates finer than a year, words, chains and people's signatures are left out, so
   none of them can be verified here; the export itself is an entry of the site's decision log."""

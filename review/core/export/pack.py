"""The auditor pack: what somebody needs to verify every audit of an installation, and no call.

| file | holds |
| --- | --- |
| `README.txt` | what to do with it |
| `fingerprint.txt` | the root key's fingerprint, in groups to be read aloud |
| `SHA256SUMS` | digests of all others, for `sha256sum --check` |
| `keys/keyring.dsse.json`, `keys/*.pem` | the keyring and each public key |
| `keys/roster-SITE.dsse.json` | who signs at the site, where the root key has said so |
| `oip_verify.py`, `oip_witness.py` | the verifier and the witness |
| `chain-report.json` | what the last verification of the decision log found |
| `sbom.cdx.json` | the software that the installation runs with (CycloneDX) |
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from typing import Final

from oipsce_site.signing.core.keyring import Keyring, open_keyring
from oipsce_site.signing.core.keys import fingerprint, public_pem
from oipsce_site.signing.core.plain import write_time
from review.core.audit.container import ContainerWriter

_SUMS: Final = "SHA256SUMS"
_README: Final = """Auditor pack

With this you verify every signed audit of the installation whose root key has the fingerprint

  @ROOT@

Compare it with the one in your contract, or have it read aloud by somebody you know: whoever forged
this pack would have put their own fingerprint here.

  sha256sum --check SHA256SUMS                                  the files are whole
  python3 -m venv v && v/bin/pip install cryptography           what the verifier needs
  v/bin/python oip_verify.py NAME.oipaudit.zip --root FINGERPRINT --keyring keys/keyring.dsse.json

It ends with 0 and VERIFIED, or with 1 and a code. The keyring of this pack is of epoch @EPOCH@,
made @MADE@; of it and the audit's own the newer one counts, so a key that
was revoked since is found out.

Keep proofs/checkpoint.txt of each audit and give it to the next verification
(--checkpoint FILE): it shows that history was not rewritten in between.

oip_witness.py is for a second pair of eyes on a machine of yours: python3 oip_witness.py --help

chain-report.json is what the installation found when it last verified its own decision log, as
whoever fetched this pack may see it. sbom.cdx.json lists the software it runs with (CycloneDX).

Keys:
@KEYS@
"""


def write_pack(
    *,
    keyring: bytes,
    root_id: str,
    programs: Mapping[str, bytes],
    rosters: Mapping[str, bytes],
    reports: Mapping[str, bytes],
) -> bytes:
    """Return the pack as a ZIP file; the same keys and programs give the same bytes.

    `programs` and `reports` are files by name, `rosters` signed rosters by the id of their site.
    Raises Refused for a keyring that this root has not signed.
    """
    ring = open_keyring(keyring, root_id)
    files = {
        "README.txt": _readme(ring),
        "fingerprint.txt": f"{fingerprint(ring.root)}\n".encode("ascii"),
        "keys/keyring.dsse.json": keyring,
        "keys/root.pem": public_pem(ring.root),
        **{f"keys/{one.use.value}-{one.id[:16]}.pem": public_pem(one.public) for one in ring.keys},
        **{f"keys/roster-{site}.dsse.json": data for site, data in rosters.items()},
        **programs,
        **reports,
    }
    sums = [f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)]
    files[_SUMS] = "".join(sums).encode("ascii")
    out = io.BytesIO()
    container = ContainerWriter(out.write)
    for name in sorted(files):
        container.add(name, files[name])
    container.finish()
    return out.getvalue()


def _readme(ring: Keyring) -> bytes:
    keys = [
        f"  {one.use.value:8} {one.id[:16]}  {write_time(one.not_before)[:10]} to "
        f"{write_time(one.revoked_at or one.not_after)[:10]}"
        f"{' (revoked)' if one.revoked_at else ''}"
        for one in ring.keys
    ]
    text = _README
    for mark, words in {
        "@ROOT@": fingerprint(ring.root),
        "@EPOCH@": str(ring.epoch),
        "@MADE@": write_time(ring.made_at),
        "@KEYS@": "\n".join(keys),
    }.items():
        text = text.replace(mark, words)
    return text.encode("utf-8")

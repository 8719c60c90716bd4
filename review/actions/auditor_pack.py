"""The auditor pack from the key folder of this machine."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from uuid import UUID

from django.conf import settings

from oipsce_site.signing.store import KeyStore, SigningKeyError
from review.actions.standalone import program
from review.core.export.pack import write_pack

NOT_HERE = (
    "The public keys are not on this machine. Where the workers run, `manage.py signing_keys "
    "export FOLDER` writes them; ask who runs the installation."
)


def load_pack(sites: Iterable[UUID]) -> bytes:
    """Return the pack for somebody of these sites. Raises SigningKeyError where no keys are."""
    if not settings.SIGNING_KEY_DIR:
        raise SigningKeyError(NOT_HERE)
    store = KeyStore(Path(settings.SIGNING_KEY_DIR))
    if not store.is_there():
        raise SigningKeyError(NOT_HERE)
    return write_pack(
        keyring=store.keyring_bytes(),
        root_id=store.root_id(),
        programs={
            "oip_verify.py": program("verifier"),
            "oip_witness.py": program("witness"),
        },
        rosters={
            str(site): data for site in sites if (data := store.roster_bytes(str(site))) is not None
        },
    )

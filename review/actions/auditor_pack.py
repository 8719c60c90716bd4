"""The auditor pack from the key folder of this machine."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from uuid import UUID

from django.conf import settings

from oipsce_site.signing.store import KeyStore, SigningKeyError
from review.actions.software_list import list_software
from review.actions.standalone import program
from review.core.export.pack import write_pack
from review.queries.log_checks import list_log_checks

NOT_HERE = (
    "The public keys are not on this machine. Where the workers run, `manage.py signing_keys "
    "export FOLDER` writes them; ask who runs the installation."
)


def load_pack(sites: frozenset[UUID]) -> bytes:
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
        reports={"chain-report.json": _chain_report(sites), "sbom.cdx.json": list_software()},
    )


def _chain_report(sites: frozenset[UUID]) -> bytes:
    """Return the last verification of the log as somebody of these sites sees it."""
    found = list_log_checks(sites, limit=1)
    said = {**asdict(found[0]), "id": str(found[0].id)} if found else {"state": "NEVER"}
    return (json.dumps(said, indent=1, sort_keys=True, default=_plain) + "\n").encode()


def _plain(value: UUID | datetime) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)

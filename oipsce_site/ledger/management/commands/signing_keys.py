"""`manage.py signing_keys`: create, rotate, revoke, show and hand out the signing keys.

| action | does |
| --- | --- |
| create | make the root, one export and one log key, and the keyring |
| rotate export, rotate log | add a key that signs from now on; older ones stay in the keyring |
| revoke ID | what this key signs from now on counts no longer; its private file is removed |
| witness HEX | add the public key of a witness |
| list | every key with its use and times |
| export FOLDER | write the keyring and each public key as PEM, for auditors |
| fingerprint | the id of the root key, for contract and auditors |

Each change is an entry of the organisation's chain in the decision log. Exit codes: 0 done, 1 not
done and why.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import ORGANISATION_CHAIN, record
from oipsce_site.signing.core.keyring import Keyring
from oipsce_site.signing.core.keys import Use, fingerprint, key_id, public_pem
from oipsce_site.signing.core.plain import write_time
from oipsce_site.signing.store import KeyStore, SigningKeyError

COMMAND = "signing_keys"


class Command(BaseCommand):
    """Manage the keys in ``SIGNING_KEY_DIR``."""

    help = "Create, rotate, revoke, list and hand out the keys that sign checkpoints and audits."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the action and what it is about."""
        parser.add_argument(
            "action",
            choices=("create", "rotate", "revoke", "witness", "list", "export", "fingerprint"),
        )
        parser.add_argument("what", nargs="?", default="", help="use, key id, public key or folder")
        parser.add_argument(
            "--root-key", type=Path, metavar="FILE", help="where the root key is, or is to be put"
        )

    def handle(self, *_: Any, action: str, what: str, root_key: Path | None, **__: Any) -> None:
        """Do one action. Exits 1 with a sentence when it cannot be done."""
        if not settings.SIGNING_KEY_DIR:
            raise CommandError("SIGNING_KEY_DIR is not set: name the folder of the signing keys")
        store = KeyStore(Path(settings.SIGNING_KEY_DIR))
        at = datetime.now(UTC)
        try:
            self._do(store, action, what, root_key, at)
        except SigningKeyError as error:
            self.stderr.write(str(error))
            sys.exit(1)

    def _do(
        self, store: KeyStore, action: str, what: str, root_key: Path | None, at: datetime
    ) -> None:
        match action:
            case "create":
                # One transaction with the entry: keys that nobody recorded are not left behind.
                with transaction.atomic():
                    ring = store.make_keys(log=settings.LOG_NAME, root_file=root_key, at=at)
                    _record("key.create", ring, at, {"root_id": key_id(ring.root)})
                self._say_created(ring, store, root_key)
            case "rotate":
                with transaction.atomic():
                    ring, made = store.rotate(_use(what), root_file=root_key, at=at)
                    _record("key.rotate", ring, at, {"key_id": made, "use": what})
                self.stdout.write(f"{made}: signs as {what} key from now on")
            case "revoke":
                with transaction.atomic():
                    ring = store.revoke(_whole_id(store, what), root_file=root_key, at=at)
                    _record("key.revoke", ring, at, {"key_id": _whole_id(store, what)})
                self.stdout.write(f"{what}: revoked. Rotate, or nothing can be signed for its use.")
            case "witness":
                public = _public(what)
                with transaction.atomic():
                    ring = store.add_witness(public, root_file=root_key, at=at)
                    _record("key.witness", ring, at, {"key_id": key_id(public)})
                self.stdout.write(f"{key_id(public)}: a witness of the log")
            case "export":
                self._export(store, Path(what or "."))
            case "list":
                self._list(store.keyring(), at)
            case _:
                self.stdout.write(fingerprint(store.keyring().root))

    def _say_created(self, ring: Keyring, store: KeyStore, root_key: Path | None) -> None:
        self.stdout.write(f"root fingerprint: {fingerprint(ring.root)}")
        self.stdout.write("Print it in the contract: auditors verify against it.")
        place = root_key or store.folder
        self.stdout.write(
            f"The root key lies in {place}. Move it off this machine and lend its file "
            "(--root-key) to rotate and revoke."
        )

    def _export(self, store: KeyStore, folder: Path) -> None:
        ring = store.keyring()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "keyring.dsse.json").write_bytes(store.keyring_bytes())
        (folder / "root.pem").write_bytes(public_pem(ring.root))
        for key in ring.keys:
            (folder / f"{key.use.value}-{key.id[:16]}.pem").write_bytes(public_pem(key.public))
        self.stdout.write(f"{folder}: the keyring and {len(ring.keys) + 1} public keys")

    def _list(self, ring: Keyring, at: datetime) -> None:
        self.stdout.write(f"epoch {ring.epoch}, log {ring.log}, root {key_id(ring.root)}")
        for key in ring.keys:
            state = "counts" if key.counts_at(at) else "counts no longer"
            revoked = f", revoked {write_time(key.revoked_at)}" if key.revoked_at else ""
            self.stdout.write(
                f"{key.id} {key.use.value} {write_time(key.not_before)} to "
                f"{write_time(key.not_after)}{revoked}: {state}"
            )


def _record(kind: str, ring: Keyring, at: datetime, facts: dict[str, Value]) -> None:
    record(
        chain_id=ORGANISATION_CHAIN,
        about=About.ORGANISATION,
        kind=kind,
        by=worker(COMMAND),
        at=at,
        facts={"epoch": ring.epoch, **facts},
    )


def _use(what: str) -> Use:
    if what not in (Use.EXPORT.value, Use.LOG.value):
        raise CommandError("say which key is rotated: export or log")
    return Use(what)


def _whole_id(store: KeyStore, what: str) -> str:
    """Return the id that begins with these digits; eight are enough to name a key."""
    found = [key.id for key in store.keyring().keys if key.id.startswith(what)]
    if len(what) < 8 or len(found) != 1:
        raise CommandError("give the first eight or more digits of one key's id (see list)")
    return found[0]


def _public(what: str) -> bytes:
    try:
        public = bytes.fromhex(what)
    except ValueError:
        public = b""
    if len(public) != 32:
        raise CommandError("give the witness's public key as 64 hexadecimal digits")
    return public

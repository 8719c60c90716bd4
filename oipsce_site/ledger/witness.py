"""The witness: a program that a customer runs on a machine of theirs, beside ours.

It holds the last checkpoint it has seen, and cosigns the next one only when a proof shows that the
log grew from it. Whoever keeps its notes can tell that history was rewritten, even by somebody who
holds every key of the installation. It is handed out as one file (`write_standalone witness`).

    oip_witness.py FOLDER init NAME
    oip_witness.py FOLDER cosign --log ORIGIN --log-key HEX [FILE]
    oip_witness.py FOLDER show

FILE (or standard input) is what `manage.py export_checkpoint` writes. Exit codes: 0 cosigned, 1
refused and why, 3 bad usage.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from oipsce_site.ledger.core.merkle import HASH_BYTES, check_consistency
from oipsce_site.signing.core.keys import key_id, public_bytes
from oipsce_site.signing.core.note import Checkpoint, add_cosignature, open_checkpoint
from oipsce_site.signing.core.plain import (
    read_count,
    read_hex,
    read_json,
    read_list,
    read_object,
    read_text,
)
from oipsce_site.signing.core.refusals import Refused, require


def main(words: list[str] | None = None) -> int:
    """Run one action and return the exit code."""
    parser = argparse.ArgumentParser(description="Cosign checkpoints of an OIP-SCE decision log.")
    parser.add_argument("folder", type=Path, help="where key and last checkpoint are kept")
    actions = parser.add_subparsers(dest="action", required=True)
    init = actions.add_parser("init", help="make the key")
    init.add_argument("name", help="the witness's name in notes, such as witness.example/oip")
    cosign = actions.add_parser("cosign", help="check and cosign a checkpoint")
    cosign.add_argument("--log", required=True, help="the log's name, first line of its notes")
    cosign.add_argument("--log-key", required=True, help="the log's public key, 64 digits")
    cosign.add_argument("file", nargs="?", type=Path)
    actions.add_parser("show", help="name, key and last checkpoint")
    try:
        asked = parser.parse_args(words)
    except SystemExit as stop:
        return 3 if stop.code else 0
    try:
        return _ACTIONS[asked.action](asked)
    except Refused as refusal:
        print(f"REFUSED {refusal}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 3


def _init(asked: argparse.Namespace) -> int:
    asked.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = asked.folder / "witness.key"
    require(not path.exists(), "E-WITNESS", f"{path} is there already and was left as it is")
    key = Ed25519PrivateKey.generate()
    path.touch(mode=0o600)
    path.write_bytes(f"{asked.name}\n{key.private_bytes_raw().hex()}\n".encode())
    print(f"{asked.name} {public_bytes(key).hex()}")
    return 0


def _cosign(asked: argparse.Namespace) -> int:
    data = sys.stdin.buffer.read() if asked.file is None else asked.file.read_bytes()
    value = read_object(
        read_json(data, "the checkpoint's file"), {"note", "since", "proof"}, "the file"
    )
    note = read_text(value["note"], "the note").encode()
    public = read_hex(asked.log_key, 32, "the log's key")
    seen = open_checkpoint(note, asked.log, public, "the checkpoint")
    held = asked.folder / "last-checkpoint.txt"
    if held.exists():
        last = open_checkpoint(held.read_bytes(), asked.log, public, "the checkpoint held")
        _check_grown(last, seen, value)
    name, key = _own_key(asked.folder)
    signed = add_cosignature(note, name, key, int(time.time()))
    beside = held.with_suffix(".new")
    beside.write_bytes(signed)
    beside.replace(held)
    sys.stdout.write(signed.decode())
    return 0


def _check_grown(last: Checkpoint, seen: Checkpoint, value: dict[str, object]) -> None:
    require(
        last.size <= seen.size,
        "E-ROLLBACK",
        f"the log has {seen.size} leaves and had {last.size}: it shrank",
    )
    since = read_count(value["since"], "the size before")
    require(
        since == last.size or last.size == seen.size,
        "E-CONSISTENCY",
        f"the proof is from {since} leaves; give --since {last.size}",
    )
    proof = [
        read_hex(one, HASH_BYTES, "the proof") for one in read_list(value["proof"], "the proof")
    ]
    path = [] if last.size == seen.size else proof
    check_consistency((last.size, last.root), (seen.size, seen.root), path)


def _show(asked: argparse.Namespace) -> int:
    name, key = _own_key(asked.folder)
    public = public_bytes(key)
    print(f"{name} {public.hex()} {key_id(public)}")
    held = asked.folder / "last-checkpoint.txt"
    if held.exists():
        sys.stdout.write(held.read_text(encoding="utf-8"))
    return 0


def _own_key(folder: Path) -> tuple[str, Ed25519PrivateKey]:
    name, secret = (folder / "witness.key").read_text(encoding="ascii").split()
    return name, Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))


_ACTIONS = {"init": _init, "cosign": _cosign, "show": _show}

if __name__ == "__main__":
    sys.exit(main())

"""The verifier as a program: ``oip_verify.py NAME.oipaudit.zip --root FINGERPRINT``.

Exit codes: 0 VERIFIED, 1 REFUSED with a code, 3 bad usage, 4 internal error. Nothing but a verified
audit ends with 0.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from datetime import UTC, datetime
from typing import Any, BinaryIO, Final

from oipsce_site.signing.core.plain import read_time
from oipsce_site.signing.core.refusals import Refused
from review.core.signoff.record import Assurance
from review.core.verify.bundle import Asked, Verified, verify_audit

GOOD: Final = 0
BAD: Final = 1
USAGE: Final = 3
INTERNAL: Final = 4
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")


class _Usage(Exception):
    """The program was called wrongly; the sentence says how."""


def main(words: list[str] | None = None) -> int:
    """Verify one audit, say what came out, and return the exit code."""
    try:
        asked = _parser().parse_args(words)
    except SystemExit as stop:
        return USAGE if stop.code else GOOD
    try:
        with open(asked.audit, "rb") as file:
            return verify_and_say(file, _bring(asked), as_json=asked.json)
    except _Usage as error:
        print(error, file=sys.stderr)
        return USAGE
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return USAGE
    except Exception as error:
        print(f"internal error: {type(error).__name__}; nothing was decided", file=sys.stderr)
        return INTERNAL


def verify_and_say(file: BinaryIO, asked: Asked, *, as_json: bool) -> int:
    """Verify, print the outcome and return 0 or 1."""
    try:
        verified = verify_audit(file, asked)
    except Refused as refusal:
        if as_json:
            print(json.dumps({"verified": False, "code": refusal.code, "text": refusal.text}))
        else:
            print(f"REFUSED {refusal}")
        return BAD
    print(json.dumps(as_plain(verified), indent=1) if as_json else "\n".join(as_lines(verified)))
    return GOOD


def as_plain(verified: Verified) -> dict[str, Any]:
    """Return what was verified as plain values."""
    predicate = verified.predicate
    return {
        "verified": True,
        "export": predicate["export"],
        "site": predicate["site"],
        "profile": verified.profile.value,
        "created_at": predicate["created_at"],
        "recipient": predicate["recipient"],
        "purpose": predicate["purpose"],
        "scope": predicate["scope"],
        "universe": predicate["universe"],
        "root": verified.root_id,
        "keyring_epoch": verified.keyring_epoch,
        "signed_by": list(verified.signed_by),
        "log_size": verified.log_size,
        "consistent_with_held": verified.is_consistent,
        "witnesses": dict(verified.witnesses),
        "complete": verified.log_size is not None,
        "signatures": {assurance.value: verified.count(assurance) for assurance in Assurance},
        "listed_signatures": verified.listed,
        "calls": [
            {
                "call": one.call,
                "coverage": one.coverage,
                "order_safe": one.order_safe,
                "call_success": one.call_success,
                "derived": one.is_derived,
            }
            for one in verified.verdicts
        ],
    }


def as_lines(verified: Verified) -> list[str]:
    """Return what was verified, for people."""
    plain = as_plain(verified)
    derived = sum(one.is_derived for one in verified.verdicts)
    with_log = verified.log_size is not None
    return [
        "VERIFIED",
        f"export {plain['export']}, {plain['profile']}, made {plain['created_at']}",
        f"for {plain['recipient']!a}: {plain['purpose']!a}",
        f"root {verified.root_id}, keyring {verified.keyring_epoch}",
        f"signed by {', '.join(verified.signed_by)}",
        f"log: {verified.log_size} leaves" if with_log else "log: not in this profile",
        "the log grew from the checkpoint held"
        if verified.is_consistent
        else "no earlier checkpoint was given: history before this audit is the exporter's word",
        *(f"witnessed by {name} at {at}" for name, at in verified.witnesses.items()),
        f"every chain of the site is accounted for: {'yes' if with_log else 'not shown'}",
        "calls: " + ", ".join(f"{n} {why}" for why, n in plain["universe"].items() if n),
        "signatures that stand: "
        + ", ".join(f"{n} {name}" for name, n in plain["signatures"].items()),
        said_of_roster(verified),
        f"verdicts decided anew: {derived} of {len(verified.verdicts)}",
        *(
            f"{one.call} coverage {one.coverage}, order {one.order_safe}, "
            f"call success {one.call_success}{'' if one.is_derived else ' (as stated)'}"
            for one in verified.verdicts
        ),
    ]


def said_of_roster(verified: Verified) -> str:
    """Return the sentence about whose signatures the root key has confirmed."""
    if verified.listed is None:
        return "no roster: whose passkey is whose is the installation's word"
    whole = len(verified.signatures)
    return f"signatures by whom the root key's roster lists: {verified.listed} of {whole}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Verify a signed OIP-SCE audit. Exit codes: 0 verified, 1 refused, 3 usage, "
        "4 internal error."
    )
    parser.add_argument("audit", help="the .oipaudit.zip file")
    parser.add_argument(
        "--root", required=True, help="fingerprint of the root key, from a source you trust"
    )
    parser.add_argument("--checkpoint", help="a checkpoint that you kept (its file)")
    parser.add_argument("--keyring", help="a keyring that came another way, if newer (its file)")
    parser.add_argument("--newest", help="time of an audit you hold; an older one is refused")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _bring(asked: argparse.Namespace) -> Asked:
    root = "".join(str(asked.root).split()).lower()
    if not _FINGERPRINT.fullmatch(root):
        raise _Usage("--root is the fingerprint: 64 hexadecimal digits, with or without spaces")
    try:
        newest = None if asked.newest is None else read_time(asked.newest, "--newest")
    except Refused as refusal:
        raise _Usage(refusal.text) from None
    return Asked(
        root_id=root,
        now=datetime.now(UTC),  # noqa: TID251 - a program has a clock
        held=_file(asked.checkpoint),
        newest=newest,
        keyring=_file(asked.keyring),
    )


def _file(path: str | None) -> bytes | None:
    if path is None:
        return None
    with open(path, "rb") as file:
        return file.read(1_000_000)


if __name__ == "__main__":
    sys.exit(main())

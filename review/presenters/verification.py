"""What the verifier found, in words."""

from __future__ import annotations

from dataclasses import dataclass

from oipsce_site.signing.core.refusals import Refused
from review.core.signoff.record import Assurance
from review.core.verify.bundle import Verified
from review.core.verify.program import said_of_roster

#: How many calls the page lists; the verifier as a file lists all of them.
MOST_SHOWN = 500


@dataclass(frozen=True, slots=True)
class Result:
    """One verification: verified, or the code and sentence of the refusal."""

    is_verified: bool
    code: str = ""
    text: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    calls: tuple[tuple[str, str, str, str, bool], ...] = ()
    more: int = 0


def show_refusal(refusal: Refused) -> Result:
    """Draw a refusal."""
    return Result(is_verified=False, code=refusal.code, text=refusal.text)


def show_verified(found: Verified) -> Result:
    """Draw a verified audit."""
    said = found.predicate
    derived = sum(one.is_derived for one in found.verdicts)
    universe = [f"{n:,} {why.replace('_', ' ')}" for why, n in said["universe"].items() if n]
    facts = [
        ("Export", str(said["export"])),
        ("For", str(said["recipient"])),
        ("Purpose", str(said["purpose"])),
        ("Profile", found.profile.value),
        ("Made", str(said["created_at"])),
        ("Signed by key", ", ".join(found.signed_by)),
        ("Keyring", f"epoch {found.keyring_epoch}"),
        ("Log", _log(found)),
        ("History", _history(found)),
        *(("Witness", f"{name} at {at}") for name, at in found.witnesses.items()),
        ("Calls of the site", ", ".join(universe) or "none"),
        ("Signatures that stand", _signatures(found)),
        ("Signers", said_of_roster(found)),
        ("Verdicts decided anew", f"{derived:,} of {len(found.verdicts):,}"),
    ]
    calls = tuple(
        (one.call, one.coverage, one.order_safe, one.call_success, one.is_derived)
        for one in found.verdicts[:MOST_SHOWN]
    )
    more = len(found.verdicts) - len(calls)
    return Result(is_verified=True, facts=tuple(facts), calls=calls, more=more)


def _log(found: Verified) -> str:
    if found.log_size is None:
        return "not in this profile"
    return f"{found.log_size:,} leaves; every chain of the site is accounted for"


def _history(found: Verified) -> str:
    if found.is_consistent:
        return "the log grew from the checkpoint you gave"
    return "no earlier checkpoint was given: before this audit it is the exporter's word"


def _signatures(found: Verified) -> str:
    words = {Assurance.SIGNER_KEY: "by passkey", Assurance.SERVER_ATTESTED: "server-attested"}
    return ", ".join(f"{found.count(one):,} {word}" for one, word in words.items())

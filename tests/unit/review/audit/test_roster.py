"""The roster in an audit: whose signature is whose, by the root key's word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from oipsce_site.signing.core.refusals import Refused
from review.core.audit.names import Profile
from review.core.audit.roster import ListedSigner, RoleHeld, Roster, open_roster, sign_roster
from review.core.signoff.record import decode_signoff
from review.core.verify.program import as_lines
from tests.unit.review.audit.spoiling import files_of
from tests.unit.review.audit.world import OTHER_SITE, SITE, shipped_calls, verify, world
from tests.unit.signing.rings import NOON, private, public

MADE = decode_signoff(shipped_calls()[0].signoffs[0].record)
LISTED = ListedSigner(
    MADE.signer.id,
    MADE.signer.printed_name,
    (RoleHeld(MADE.signer.role, NOON - timedelta(days=9), None),),
    (MADE.key_digest,),
)
GENUINE = Roster(str(SITE), NOON - timedelta(minutes=1), {LISTED.id: LISTED})


def audit(roster: Roster, root: str = "root", profile: Profile = Profile.FULL) -> bytes:
    made = world()
    return made.build(made.order(profile, roster=sign_roster(roster, private(root))))


def listed(**changes: Any) -> Roster:
    return replace(GENUINE, signers={LISTED.id: replace(LISTED, **changes)})


@pytest.mark.parametrize("profile", [Profile.FULL, Profile.MINIMUM])
def test_signatures_are_held_against_it(profile: Profile) -> None:
    found = verify(audit(GENUINE, profile=profile))
    assert found.listed == 3
    assert "signatures by whom the root key's roster lists: 3 of 3" in as_lines(found)


def test_what_was_signed_after_it_is_not_covered() -> None:
    assert verify(audit(replace(GENUINE, made_at=NOON - timedelta(hours=3)))).listed == 1


def test_without_one_the_verifier_says_whose_word_it_is() -> None:
    assert "no roster: whose passkey is whose is the installation's word" in as_lines(
        verify(world().build())
    )


def test_a_deidentified_audit_has_none() -> None:
    data = audit(GENUINE, profile=Profile.DEIDENTIFIED)
    assert "keys/roster.dsse.json" not in files_of(data)
    assert verify(data).listed is None


@pytest.mark.parametrize(
    ("make", "code"),
    [
        pytest.param(lambda: audit(GENUINE, root="attacker"), "E-SIG", id="by-another-key"),
        pytest.param(lambda: audit(GENUINE, root="export"), "E-SIG", id="by-the-export-key"),
        pytest.param(
            lambda: audit(replace(GENUINE, site=str(OTHER_SITE))), "E-ROSTER", id="of-another-site"
        ),
        pytest.param(
            lambda: audit(replace(GENUINE, made_at=NOON + timedelta(seconds=1))),
            "E-ROSTER",
            id="later-than-the-audit",
        ),
        pytest.param(lambda: audit(replace(GENUINE, signers={})), "E-ROSTER", id="without-them"),
        pytest.param(
            lambda: audit(listed(passkeys=("ab" * 32,))), "E-ROSTER", id="with-another-passkey"
        ),
        pytest.param(
            lambda: audit(listed(roles=(RoleHeld("reviewer", NOON - timedelta(days=9), None),))),
            "E-ROSTER",
            id="in-another-role",
        ),
        pytest.param(
            lambda: audit(listed(roles=(replace(LISTED.roles[0], since=NOON),))),
            "E-ROSTER",
            id="before-the-role-was-held",
        ),
        pytest.param(
            lambda: audit(
                listed(roles=(replace(LISTED.roles[0], until=NOON - timedelta(hours=4)),))
            ),
            "E-ROSTER",
            id="after-the-role-was-revoked",
        ),
    ],
)
def test_any_other_roster_is_refused(make: Callable[[], bytes], code: str) -> None:
    with pytest.raises(Refused) as refusal:
        verify(make())
    assert refusal.value.code == code


def test_it_reads_back() -> None:
    assert open_roster(sign_roster(GENUINE, private("root")), public("root")) == GENUINE

"""The command of the ceremony: a roster is signed, or a sentence says why not."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from oipsce_site.people.roles import Role
from oipsce_site.signing.store import KeyStore
from review.core.audit.roster import open_roster
from review.management.commands.sign_roster import Command
from tests.factories import NOON, make_person, make_site

pytestmark = pytest.mark.django_db


@pytest.fixture
def store(settings: Settings, tmp_path: Path) -> KeyStore:
    made = KeyStore(tmp_path / "keys")
    made.make_keys(log="oip-sce.test/log", root_file=tmp_path / "root.pem", at=NOON)
    settings.SIGNING_KEY_DIR = str(made.folder)
    return made


def test_a_roster_lists_who_signs_at_the_site_and_nobody_else(
    store: KeyStore, tmp_path: Path
) -> None:
    site = make_site()
    signer = make_person(Role.REVIEWER)
    make_person(Role.COMPLIANCE_OFFICER)
    make_person(Role.REVIEWER, site=make_site("south"))
    said = StringIO()
    call_command("sign_roster", site.slug, root_key=tmp_path / "root.pem", stdout=said)
    data = store.roster_bytes(str(site.pk))
    assert data is not None
    roster = open_roster(data, store.keyring().root)
    assert (roster.site, list(roster.signers)) == (str(site.pk), [str(signer.pk)])
    assert "signed" in said.getvalue()


def test_without_the_root_key_nothing_is_signed(store: KeyStore) -> None:
    said = StringIO()
    command = Command(stderr=said)
    call_command(command, make_site().slug)
    assert (command.exit_code, store.roster_bytes(str(make_site().pk))) == (1, None)
    assert "not there; lend the key file" in said.getvalue()


@pytest.mark.usefixtures("store")
def test_an_unknown_site_is_named() -> None:
    with pytest.raises(CommandError, match="there is no site 'nowhere'"):
        call_command("sign_roster", "nowhere")

"""The verifier as a page: its sentence for each file, nothing kept; and the auditor's pack."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import cryptography
import django
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from oipsce_site.people.roles import Role
from oipsce_site.signing.core.keys import fingerprint
from oipsce_site.signing.store import KeyStore
from review.actions.log_checks import ask_log_check
from review.core.audit.names import Profile
from review.tasks import check_log
from tests.factories import NOON, make_person
from tests.unit.review.audit.histories import held, smaller_log
from tests.unit.review.audit.world import audit
from tests.unit.signing.rings import ring

pytestmark = pytest.mark.django_db
PAGE = "review:verify_audit"


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(make_person(Role.REVIEWER))
    return client


def ask(client: Client, data: bytes, **given: Any) -> tuple[int, str]:
    file = SimpleUploadedFile("x.oipaudit.zip", data)
    form = {"audit": file, "root": fingerprint(ring().keyring.root), **given}
    answer = client.post(reverse(PAGE), form)
    assert "no-store" in answer["Cache-Control"]
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("profile", Profile)
def test_a_genuine_audit_is_verified(reader: Client, profile: Profile) -> None:
    status, page = ask(reader, audit(profile))
    assert (status, "</span> VERIFIED" in page, "REFUSED" in page) == (200, True, False)
    for part in ("Regulator", "yearly inspection", "3 of 3"):
        assert part in page, part


@pytest.mark.parametrize(
    ("data", "given", "code"),
    [
        (audit()[:-9], {}, "E-ZIP"),
        (b"no audit", {}, "E-ZIP"),
        (audit().replace(b"Regulator", b"Regulatar", 1), {}, "E-"),
        (audit(), {"root": "ab" * 32}, "E-ROOT"),
        (audit(), {"checkpoint": SimpleUploadedFile("c", smaller_log())}, "E-ROLLBACK"),
        (audit(), {"checkpoint": SimpleUploadedFile("c", b"x")}, "E-ROLLBACK"),
    ],
)
def test_any_other_is_refused_with_its_code(
    reader: Client, data: bytes, given: dict[str, Any], code: str
) -> None:
    status, page = ask(reader, data, **given)
    assert (status, "</span> REFUSED" in page, "VERIFIED" in page) == (200, True, False)
    assert code in page


def test_a_checkpoint_that_was_kept_shows_that_the_log_grew(reader: Client) -> None:
    _, page = ask(reader, audit(), checkpoint=SimpleUploadedFile("c", held()))
    assert "the log grew from the checkpoint you gave" in page


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"root": ""}, "without it nothing can be trusted"),
        ({"root": "12 34"}, "A fingerprint has 64 hexadecimal digits"),
        ({"audit": ""}, "Choose the audit&#x27;s file."),
        ({"audit": SimpleUploadedFile("x", b"")}, "The file is empty."),
    ],
)
def test_a_form_that_makes_no_sense_comes_back(
    reader: Client, given: dict[str, Any], sentence: str
) -> None:
    status, page = ask(reader, audit(), **given)
    assert (status, sentence in page) == (422, True), page


def test_a_file_that_is_too_large_is_not_taken(reader: Client, settings: Settings) -> None:
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 2**20
    status, page = ask(reader, bytes(2**20 + 1))
    assert (status, "over 1 MB and was not taken" in page) == (422, True)


def test_hostile_words_of_an_audit_are_shown_as_words(reader: Client) -> None:
    _, page = ask(reader, b"PK<script>alert(1)</script>" + audit())
    assert "<script>alert" not in page


def test_the_pack_verifies_an_audit_elsewhere(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    store = KeyStore(tmp_path / "keys")
    made = store.make_keys(log="oip-sce.test/log", root_file=None, at=NOON)
    settings.SIGNING_KEY_DIR = str(store.folder)
    officer = make_person(Role.AUDITOR, Role.COMPLIANCE_OFFICER)
    client.force_login(officer)
    ask_log_check(check_id=uuid4(), by=officer, at=NOON)
    check_log()
    answer = client.get(reverse("review:auditor_pack"))
    assert answer.content == client.get(reverse("review:auditor_pack")).content
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        archive.extractall(tmp_path / "pack")
        names = archive.namelist()
    assert "keys/keyring.dsse.json" in names
    assert not any(
        "PRIVATE" in (tmp_path / "pack" / one).read_text() for one in names if ".pem" in one
    )
    assert (tmp_path / "pack/fingerprint.txt").read_text().strip() == fingerprint(made.root)
    for line in (tmp_path / "pack/SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((tmp_path / "pack" / name).read_bytes()).hexdigest() == digest
    report = json.loads((tmp_path / "pack/chain-report.json").read_text())
    assert (report["state"], report["fault_count"], report["chains"] > 0) == ("DONE", 0, True)
    software = json.loads((tmp_path / "pack/sbom.cdx.json").read_text())
    listed = {one["name"]: one["version"] for one in software["components"]}
    assert (software["bomFormat"], software["specVersion"]) == ("CycloneDX", "1.6")
    assert listed["django"] == django.get_version()
    assert listed["cryptography"] == cryptography.__version__
    (tmp_path / "a.oipaudit.zip").write_bytes(audit())
    words = [sys.executable, "-I", "pack/oip_verify.py", "a.oipaudit.zip", "--root"]
    done = subprocess.run(
        [*words, ring().root_id], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("VERIFIED\n"), done.stdout + done.stderr

"""What an audit holds: the same bytes each time, no more than its profile, and safe reports."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pypdf
import pytest

from oipsce_site.services.layout import CHECKOUT
from oipsce_site.signing.core.refusals import Refused
from review.core.audit.names import Profile, Why
from review.core.export.bundle import UnableToExport
from review.core.export.order import Scope, UniverseLine
from review.core.export.reports import guard
from tests.unit.review.audit.flips import accepted_flips, accepted_flips_of, small_audit
from tests.unit.review.audit.spoiling import files_of, raw_zip
from tests.unit.review.audit.world import audit, shipped_calls, signed_call, verify, world
from tests.unit.signing.rings import NOON, ring

EARLIER = NOON - timedelta(hours=2)
CANARIES = ("Zuzanna Quastlerova", "1961-02-29", "MBR-774-Q1")
WATCHED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_maxrss, used.ru_utime + used.ru_stime, code)
"""
SMALL = """
import hashlib
from tests.unit.review.audit.world import audit
print(hashlib.sha256(audit()).hexdigest())
"""


def test_another_process_builds_the_same_bytes() -> None:
    env = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    words = [sys.executable, "-c", SMALL]
    done = subprocess.run(words, cwd=CHECKOUT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == hashlib.sha256(audit()).hexdigest()


def test_five_hundred_flipped_bits_are_refused() -> None:
    assert accepted_flips(500, seed=1) == []


def test_no_bit_of_the_directory_and_the_first_header_can_be_flipped() -> None:
    whole = len(small_audit())
    assert accepted_flips_of(whole - 160, whole) == []
    assert accepted_flips_of(0, 30) == []


# --- profiles -------------------------------------------------------------------------------------


def marked_audit(profile: Profile) -> dict[str, bytes]:
    """Return the files of an audit of one call that is full of canaries."""
    name, born, member = CANARIES
    path = CHECKOUT / "review/shipped/cases/case_micro.json"
    raw = json.loads(path.read_text(encoding="utf-8"))
    raw["title"] = f"Call of {name}"
    raw["id"] = f"call-{member}"
    raw["turns"][0]["text"] += f" This is {name}, born {born}, member {member}."
    made = world(1)
    made.calls = [signed_call(9, json.dumps(raw).encode(), EARLIER, path.name, "micro")]
    made.seal(NOON)
    order = made.order(profile, site_name=f"Clinic of {name}", created_by=name)
    return files_of(made.build(order))


def readable(name: str, data: bytes) -> bytes:
    """Return the bytes of a file in which words can be found: of a PDF its text and its streams."""
    if not name.endswith(".pdf"):
        return data
    reader = pypdf.PdfReader(io.BytesIO(data))
    text = " ".join(page.extract_text() for page in reader.pages)
    about = json.dumps({k: str(v) for k, v in (reader.metadata or {}).items()}, ensure_ascii=False)
    plain = re.sub(r"\s+", " ", text.replace("\u200b", "")) + about
    return plain.encode() + data


@pytest.mark.parametrize(
    ("profile", "seen"),
    [(Profile.FULL, True), (Profile.DEIDENTIFIED, False)],
)
def test_a_deidentified_audit_holds_no_canary(profile: Profile, seen: bool) -> None:
    files = marked_audit(profile)
    for canary in CANARIES:
        holders = {name for name, data in files.items() if canary.encode() in readable(name, data)}
        assert bool(holders) is seen, (canary, holders)
        assert not seen or any(name.endswith("/report.pdf") for name in holders)


def test_the_minimum_holds_no_transcript_title_or_reason() -> None:
    files = marked_audit(Profile.MINIMUM)
    assert not any(name.endswith("transcript.json") for name in files)
    shown = [readable(name, data) for name, data in files.items()]
    assert not any(b"Call of" in data or b"heard it" in data for data in shown)


@pytest.mark.parametrize(
    ("profile", "kinds"),
    [
        (Profile.FULL, {"chain.jsonl", "record.json", "report.pdf", "transcript.json"}),
        (Profile.MINIMUM, {"chain.jsonl", "record.json", "report.pdf"}),
        (Profile.DEIDENTIFIED, {"record.json", "report.pdf"}),
    ],
)
def test_each_profile_has_its_files(profile: Profile, kinds: set[str]) -> None:
    files = files_of(audit(profile))
    assert {name.rpartition("/")[2] for name in files if name.startswith("calls/")} == kinds


def test_a_deidentified_audit_names_no_id_that_anything_else_has() -> None:
    known = [call.call_id for call in shipped_calls()]
    known += [entry.entry_hash.hex() for call in shipped_calls() for entry in call.chain]
    known += [call.about["external_id"] or "?" for call in shipped_calls()]
    for name, data in files_of(audit(Profile.DEIDENTIFIED)).items():
        if not name.startswith("catalogs/"):
            assert [one for one in known if one.encode() in readable(name, data)] == [], name


# --- which calls ----------------------------------------------------------------------------------


def test_calls_that_are_left_out_are_named_with_their_reason() -> None:
    made = world()
    first, second, third = (call.call_id for call in made.calls)
    lines = (
        UniverseLine(first, Why.OTHER_VERDICT),
        UniverseLine(second, Why.INCLUDED),
        UniverseLine(third, Why.NOT_SIGNED),
    )
    order = made.order(universe=lines, scope=Scope(verdict="fail"))
    found = verify(made.build(order))
    assert [one.call for one in found.verdicts] == [second]
    assert found.predicate["universe"] == {
        **dict.fromkeys((why.value for why in Why), 0),
        "included": 1,
        "other_verdict": 1,
        "not_signed": 1,
    }


def test_an_audit_of_no_call_says_so() -> None:
    made = world()
    lines = tuple(UniverseLine(call.call_id, Why.OTHER_DATE) for call in made.calls)
    found = verify(made.build(made.order(universe=lines)))
    assert (found.verdicts, found.predicate["calls"]) == ((), [])


def test_a_call_whose_signature_was_ended_is_not_exported() -> None:
    made = world()
    made.calls[0] = replace(made.calls[0], chain=made.calls[0].chain[:-1])
    with pytest.raises(UnableToExport, match="does not tell of a signature"):
        made.build()


def test_a_call_of_an_unknown_catalog_is_not_exported() -> None:
    made = world()
    with pytest.raises(UnableToExport, match="its catalog is not among"):
        made.build(made.order(catalogs=()))


# --- reports --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "  =1",
        "\n=1",
        "\uff1d1",
        "\u00a0=1",
        "|calc",
        "%0A",
        "\x00=1",
    ],
)
def test_no_cell_is_a_formula(cell: str) -> None:
    assert guard(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "plain", "a=1", "2026-11-29", "Ana Żółć", "1.0.0"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert guard(cell) == cell


def test_the_table_reads_back() -> None:
    text = files_of(audit())["report.csv"].decode()
    rows = list(csv.reader(io.StringIO(text)))
    assert [row[6] for row in rows[1:-1]] == ["fail", "fail", "pass"]
    assert {row[7] for row in rows[1:-1]} == {"Ana Żółć"}
    assert rows[-1][0] == "records digest"
    assert all(cell.startswith('"') for cell in text.split("\r\n")[1].split(",")[:3])


HOSTILE = "<script>alert(1)</script>\u202e\"'&"


def test_the_page_shows_hostile_words_as_words() -> None:
    made = world(1)
    about = {**made.calls[0].about, "title": HOSTILE, "external_id": "=cmd|' /C calc'!A1"}
    made.calls = [replace(made.calls[0], about=about)]
    files = files_of(made.build(made.order(recipient=HOSTILE)))
    page = files["report.html"].decode()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;[U+202E]" in page
    assert "default-src 'none'" in page
    assert "\"'=cmd|" in files["report.csv"].decode()


# --- hostile files --------------------------------------------------------------------------------


def four_gigabytes(path: Path) -> None:
    """Write a file of the 64-bit kind, without the gigabytes on the disk."""
    with path.open("wb") as file:
        file.truncate(2**32 + 100)
        file.seek(0, 2)
        file.write(b"PK\x06\x07" + bytes(4) + (2**32).to_bytes(8, "little") + b"\1\0\0\0")
        file.write(b"PK\x05\x06" + bytes(4) + b"\xff" * 12 + bytes(2))


def bomb(path: Path) -> None:
    """Write an audit with a member more that unpacks to a thousand times its size."""
    path.write_bytes(raw_zip("z", compress_type=8, data=bytes(2**27)))


def cut_off(path: Path) -> None:
    path.write_bytes(audit()[: len(audit()) // 2])


@pytest.mark.parametrize(
    ("make", "code"), [(four_gigabytes, "E-ZIP"), (bomb, "E-ZIPBOMB"), (cut_off, "E-ZIP")]
)
def test_a_hostile_file_is_refused_soon_and_with_little_memory(
    make: Callable[[Path], None], code: str, tmp_path: Path
) -> None:
    path = tmp_path / "hostile.zip"
    make(path)
    words = [sys.executable, "-m", "review.core.verify", str(path), "--root", ring().root_id]
    # A wrapper: what it reports of its child is that of the child alone.
    said = subprocess.run(
        [sys.executable, "-c", WATCHED, *words], cwd=CHECKOUT, capture_output=True, text=True
    )
    refusal, used = said.stdout.splitlines()
    kilobytes, seconds, exit_code = used.split()
    assert refusal.startswith(f"REFUSED {code}"), said.stdout + said.stderr
    assert exit_code == "1"
    assert int(kilobytes) < 100_000
    assert float(seconds) < 5


@pytest.mark.parametrize("cut", [1, 21, 22, 23, 100, 1000, 100_000, 400_000])
def test_a_truncated_file_ends_in_a_refusal(cut: int) -> None:
    for data in (audit()[:-cut], audit()[cut:], audit()[:cut]):
        with pytest.raises(Refused):
            verify(data)

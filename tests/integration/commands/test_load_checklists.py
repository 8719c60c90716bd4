"""`load_checklists` on the double-coded part of PriMock57, read where it lies."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import openpyxl
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from oipsce_site.people.roles import Role
from review.models import CalibrationRound
from tests.factories import SHARED, make_person, make_site

pytestmark = pytest.mark.django_db
LISTS = SHARED / "data" / "primock57" / "consultation_checklists"


def load(*folders: Path) -> str:
    make_site()
    out = StringIO()
    call_command("load_checklists", *map(str, folders), "--site", "north", stdout=out)
    return out.getvalue()


@pytest.mark.skipif(not LISTS.is_dir(), reason="../shared is not there")
def test_the_double_coded_consultations_become_a_round(client: Client) -> None:
    assert "Mark of an item: raw" in load(LISTS / "Clinician_1", LISTS / "Clinician_2")
    stored = CalibrationRound.objects.get()
    assert stored.state == "CLOSED"
    assert [one.name for one in stored.raters.all()] == ["Clinician_1", "Clinician_2"]
    assert stored.calls.count() == 5
    [measured] = (stored.figures or {})["measures"]
    _, _, n, excluded = measured["figures"]["raw"]
    assert n > 0
    assert excluded > 0
    client.force_login(make_person(Role.SENIOR_REVIEWER))
    assert (
        "Krippendorff"
        in client.get(reverse("review:calibration", args=[stored.pk])).content.decode()
    )
    assert client.get(reverse("review:differing", args=[stored.pk])).status_code == 200


def workbook(folder: Path, *rows: tuple[str, str | None]) -> None:
    folder.mkdir(exist_ok=True)
    book = openpyxl.Workbook()
    for row in (("CHECKLIST", "Critical / Non Critical / Irrelevant"), *rows):
        book.active.append(row)
    book.save(folder / "Day 1.xlsx")


def test_what_only_one_has_is_left_out_and_said(tmp_path: Path) -> None:
    workbook(tmp_path / "a", ("History", None), ("**Pain ", "c"), ("Fever", "nc"), ("Cough", "c"))
    workbook(tmp_path / "b", ("pain.", "C"), ("fever", "i"))
    load(tmp_path / "a", tmp_path / "b")
    stored = CalibrationRound.objects.get()
    [measured] = (stored.figures or {})["measures"]
    assert measured["figures"]["raw"] == ["1/2", None, 2, 1]
    assert "one call" in measured["small_n"]


def test_wrong_usage_says_what_is_wrong(tmp_path: Path) -> None:
    workbook(tmp_path / "a", ("Pain", "c"))
    workbook(tmp_path / "b", ("Other", "c"))
    for folders, sentence in (
        ((tmp_path / "a",), "name two folders"),
        ((tmp_path / "a", tmp_path / "none"), "there is no folder"),
        ((tmp_path / "a", tmp_path), "no workbook lies in all"),
        ((tmp_path / "a", tmp_path / "b"), "nothing was coded twice"),
    ):
        with pytest.raises(CommandError, match=sentence):
            load(*folders)
    (tmp_path / "b" / "Day 1.xlsx").write_bytes(b"no zip")
    with pytest.raises(CommandError, match="cannot be read"):
        load(tmp_path / "a", tmp_path / "b")
    assert not CalibrationRound.objects.exists()

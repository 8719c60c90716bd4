"""`what_if` over stored calls: the counts, the signed ones, the rows, and nothing changed."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from oipsce_site.people.roles import Role
from review.models import Call, Evaluation, PhaseRow
from tests.factories import case, catalog_source, make_person, prefilled, publish
from tests.signed import sign_stored

pytestmark = pytest.mark.django_db


def what_if(file: Path, *options: str) -> tuple[str, int]:
    out = StringIO()
    code = 0
    try:
        call_command("what_if", str(file), *options, stdout=out)
    except SystemExit as stop:
        code = int(stop.code or 0)
    return out.getvalue(), code


def write(folder: Path, *changes: tuple[str, str]) -> Path:
    file = folder / "other.yaml"
    file.write_bytes(catalog_source("micro", ("version: 2.0.0", "version: 3.0.0"), *changes))
    return file


@pytest.fixture
def stored() -> Call:
    publish(catalog_source("micro"))
    return Call.objects.get(pk=prefilled(case()))


def test_the_same_rules_change_nothing(stored: Call, tmp_path: Path) -> None:
    said, _ = what_if(write(tmp_path))
    assert "the same: 1 (0 signed)" in said
    assert str(stored.pk) not in said


def test_without_its_critical_edge_the_micro_example_passes(stored: Call, tmp_path: Path) -> None:
    file = write(tmp_path)
    text = file.read_text(encoding="utf-8")
    lines = [one for one in text.splitlines() if not one.startswith("    critical_parents:")]
    file.write_text("\n".join(lines), encoding="utf-8")
    before = list(PhaseRow.objects.values()), Evaluation.objects.count()
    said, _ = what_if(file, "--site", stored.site.slug)
    assert "fail to pass: 1 (0 signed)" in said
    assert f"{stored.pk}: edges " in said
    assert (list(PhaseRow.objects.values()), Evaluation.objects.count()) == before


def test_signed_calls_are_counted(stored: Call, tmp_path: Path) -> None:
    sign_stored(stored.pk, make_person(Role.SENIOR_REVIEWER))
    said, _ = what_if(write(tmp_path))
    assert "the same: 1 (1 signed)" in said


@pytest.mark.usefixtures("stored")
def test_wrong_usage_says_what_is_wrong(tmp_path: Path) -> None:
    file = write(tmp_path)
    for options, sentence in (
        (("--site", "nowhere"), "there is no site"),
        (("--from", "2030-01-01"), "no stored call"),
        (("--to", "2020-01-01"), "no stored call"),
    ):
        with pytest.raises(CommandError, match=sentence):
            what_if(file, *options)
    file.write_text("format: nonsense", encoding="utf-8")
    with pytest.raises(CommandError, match="cannot be read"):
        what_if(file)
    with pytest.raises(CommandError, match="there is no file"):
        what_if(tmp_path / "none.yaml")

"""The commands: what they print, and the exit codes that scripts rely on."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from catalogs.models import CatalogVersion
from oipsce_site.ledger.queries import chain_ids, verify
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.management.base import Exit, ReviewCommand
from review.management.commands import import_calls, load_demo
from review.models import Call, Evaluation
from review.shipped import SHIPPED_CASES
from review.tasks import prefill_waiting, rehearse_version
from tests.factories import make_person, raw_micro, rehearsed

CHECKOUT = Path(__file__).resolve().parents[3]


@pytest.fixture
def worker_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer each bell in this process."""
    monkeypatch.setattr("review.management.importing.ring_for_prefills", _work)
    # That the shipped catalogs are green is shown where they are rehearsed.
    monkeypatch.setattr(
        rehearse_version,
        "delay_on_commit",
        lambda *, version_id: rehearsed(UUID(version_id), source_of(version_id)),
    )


def source_of(version_id: str) -> bytes:
    return bytes(CatalogVersion.objects.get(pk=version_id).source)


def _work() -> None:
    while prefill_waiting():
        pass


def run(command: ReviewCommand, *args: Any, **options: Any) -> tuple[int, str, str]:
    """Run a command in this process; return its code and what it printed."""
    out, err = StringIO(), StringIO()
    call_command(command, *args, stdout=out, stderr=err, **options)
    return command.exit_code, out.getvalue(), err.getvalue()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with a good call, a batch with a bad one, and a file of no format."""
    (tmp_path / "a.json").write_text(json.dumps(raw_micro()), "utf-8")
    bad = raw_micro(id="bad")
    bad["turns"][1]["text"] = "\ud83d"
    batch = {"format": "oip-calls/1", "calls": [raw_micro(id="b1"), bad, raw_micro(id="b2")]}
    (tmp_path / "b.json").write_text(json.dumps(batch), "utf-8")
    (tmp_path / "c.txt").write_text("no call at all", "utf-8")
    return tmp_path


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("catalogs", "north")
def test_one_bad_call_stops_no_other(files: Path, bells: list[str]) -> None:
    code, out, err = run(import_calls.Command(), str(files), site="north")
    assert code == Exit.BAD
    assert "3 created, 0 changed, 0 unchanged, 2 refused" in out
    assert "lone_surrogate" in err
    assert "b.json, calls[1]" in err
    assert "c.txt" in err
    assert Call.objects.filter(state="PREFILLING").count() == 3
    assert set(bells) == {"review.prefill_waiting"}


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogs", "north")
def test_a_second_import_changes_nothing(files: Path, bells: list[str]) -> None:
    run(import_calls.Command(), str(files / "a.json"), site="north")
    code, out, _ = run(import_calls.Command(), str(files / "a.json"), site="north")
    assert code == Exit.GOOD
    assert "0 created, 0 changed, 1 unchanged, 0 refused" in out
    (files / "a.json").write_text(json.dumps(raw_micro(title="other")), "utf-8")
    code, out, err = run(import_calls.Command(), str(files / "a.json"), site="north")
    assert code == Exit.BAD
    assert "stored already with other content" in err
    assert Call.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogs", "north")
def test_other_bytes_are_a_new_transcript_where_asked_for(files: Path, bells: list[str]) -> None:
    file = files / "a.json"
    run(import_calls.Command(), str(file), site="north")
    _work()
    file.write_text(json.dumps(raw_micro(title="other")), "utf-8")
    code, out, _ = run(import_calls.Command(), str(file), site="north", new_revision=True)
    assert (code, Call.objects.get().transcript_revision) == (Exit.GOOD, 2)
    assert "0 created, 1 changed, 0 unchanged, 0 refused" in out
    assert Call.objects.get().state == "PREFILLING"
    _work()
    Call.objects.update(state="SIGNED")
    file.write_text(json.dumps(raw_micro(title="a third")), "utf-8")
    code, _, err = run(import_calls.Command(), str(file), site="north", new_revision=True)
    assert code == Exit.BAD
    assert "the signature stands for the stored transcript" in err


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogs", "north")
def test_the_operator_may_confirm_the_proposed_roles(tmp_path: Path) -> None:
    for name in ("one", "two"):
        text = json.dumps(raw_micro(id=name, speakers={"assistant": {}, "user": {}}))
        text = text.replace('"speaker": "agent"', '"speaker": "assistant"')
        text = text.replace('"speaker": "patient"', '"speaker": "user"')
        (tmp_path / f"{name}.json").write_text(text, "utf-8")
    _, out, _ = run(import_calls.Command(), str(tmp_path / "one.json"), site="north")
    assert "Confirm it once for this source." in out
    code, out, _ = run(
        import_calls.Command(), str(tmp_path / "one.json"), site="north", confirm_roles=True
    )
    assert code == Exit.GOOD
    assert "Its roles were confirmed and are remembered." in out
    assert Call.objects.get().state == "PREFILLING"
    run(import_calls.Command(), str(tmp_path / "two.json"), site="north")
    assert [call.state for call in Call.objects.all()] == ["PREFILLING", "PREFILLING"]


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogs", "north")
def test_confirming_proposed_roles_settles_nothing_else(tmp_path: Path, bells: list[str]) -> None:
    text = json.dumps(raw_micro(speakers={"agent": {}, "who": {}}))
    file = tmp_path / "who.json"
    file.write_text(text.replace('"speaker": "patient"', '"speaker": "who"'), "utf-8")
    code, out, _ = run(import_calls.Command(), str(file), site="north", confirm_roles=True)
    assert (code, Call.objects.get().state, bells) == (Exit.GOOD, "NEEDS_MAPPING", [])
    assert "'who'" in out


@pytest.mark.django_db
@pytest.mark.usefixtures("catalogs")
def test_an_import_is_by_the_person_named(files: Path, north: Site, bells: list[str]) -> None:
    user = make_person(Role.COMPLIANCE_OFFICER, site=north, username="cora")
    run(import_calls.Command(), str(files / "a.json"), site="north", by="cora")
    assert Call.objects.get().received_by == user
    make_person(Role.REVIEWER, site=north, username="rea")
    with pytest.raises(CommandError, match="Only senior reviewers and compliance"):
        run(import_calls.Command(), str(files / "b.json"), site="north", by="rea")


@pytest.mark.django_db
@pytest.mark.usefixtures("north")
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"site": "nowhere"}, "no site 'nowhere'"),
        ({"site": "north", "by": "nobody"}, "no active person 'nobody'"),
    ],
)
def test_bad_usage_is_said(options: dict[str, str], sentence: str, files: Path) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(import_calls.Command(), str(files), **options)
    with pytest.raises(CommandError, match="there is no file"):
        run(import_calls.Command(), str(files / "missing"), site="north")


@pytest.mark.django_db
@pytest.mark.usefixtures("worker_at_once")
def test_the_demo_is_there_and_says_what_was_stored(tmp_path: Path) -> None:
    credentials = tmp_path / "credentials.json"
    code, out, _ = run(load_demo.Command(), credentials=credentials)
    assert code == Exit.GOOD
    assert "Coverage pass, OrderSafe fail, CallSuccess fail" in out
    assert "52 < 42 is false" in out
    assert Call.objects.count() == Evaluation.objects.count() >= len(SHIPPED_CASES)
    calls = Call.objects.count()
    assert set(CatalogVersion.objects.values_list("state", flat=True)) == {"PUBLISHED"}
    passwords = json.loads(credentials.read_text("utf-8"))
    assert stat.S_IMODE(credentials.stat().st_mode) == 0o600
    assert set(passwords) == set(User.objects.values_list("username", flat=True))
    assert User.objects.get(username="reviewer").check_password(passwords["reviewer"])
    assert passwords["reviewer"] in out
    assert [chain for chain in chain_ids() if verify(chain)] == []
    before = credentials.read_bytes()
    code, again, _ = run(load_demo.Command(), credentials=credentials)
    assert code == Exit.GOOD
    assert credentials.read_bytes() == before
    assert "created" not in again
    assert passwords["reviewer"] not in again
    assert Call.objects.count() == Evaluation.objects.count() == calls


@pytest.mark.django_db
@pytest.mark.usefixtures("bells")
def test_a_silent_worker_is_named(tmp_path: Path) -> None:
    code, _, err = run(load_demo.Command(), credentials=tmp_path / "c.json", patience=0.1)
    assert code == Exit.BAD
    assert "the worker did not answer within 0.1 seconds: 0 of 9 catalogs are rehearsed" in err


class _Failing(ReviewCommand):
    """Raises what it is told to."""

    requires_system_checks: list[str] = []

    def __init__(self, error: BaseException) -> None:
        super().__init__(stdout=StringIO(), stderr=StringIO())
        self._error = error

    def work(self, _options: Any) -> int:
        raise self._error


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (CommandError("no such thing"), 3, "it: no such thing"),
        (ValueError("words of the call"), 4, "internal error, ValueError at test_commands.py"),
        (KeyboardInterrupt(), 4, "stopped before it was done"),
    ],
)
def test_errors_have_codes_of_their_own(error: BaseException, code: int, words: str) -> None:
    command = _Failing(error)
    with pytest.raises(SystemExit) as ended:
        command.run_from_argv(["manage.py", "it"])
    said = command.stderr.getvalue()
    assert ended.value.code == code
    assert words in said
    assert "words of the call" not in said


class _Endless(_Failing):
    """Is told to stop by the system."""

    def work(self, _options: Any) -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        signal.pause()
        return 0


def test_sigterm_is_no_verdict() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended:
        _Endless(ValueError()).run_from_argv(["manage.py", "it"])
    assert ended.value.code == Exit.INTERNAL
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize("words", [["--bogus"], [], ["x.json"], ["x.json", "--site"]])
def test_unknown_options_end_with_3(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "import_calls", *words],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "oipsce_site.settings.test"},
    )
    assert done.returncode == Exit.USAGE
    assert "import_calls: " in done.stderr

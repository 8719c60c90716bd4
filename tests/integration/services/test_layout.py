"""Paths of a profile and what the settings make of them; nothing runs here."""

import os
from pathlib import Path

import pytest

from oipsce_site import environment
from oipsce_site.services import layout, processes
from oipsce_site.services.layout import Profile
from oipsce_site.settings import connections


def test_sockets_lie_beside_the_data_while_they_fit() -> None:
    profile = Profile("demo", Path("/srv/oip"))
    assert profile.postgres_sockets == Path("/srv/oip/var/demo/sockets/postgres")


def test_a_long_checkout_gets_a_short_socket_folder() -> None:
    profiles = [Profile("demo", Path("/srv") / ("x" * 80) / name) for name in ("a", "b")]
    folders = {profile.sockets for profile in profiles}
    assert len(folders) == 2, "two checkouts must never meet"
    for profile in profiles:
        assert len(os.fsencode(profile.postgres_sockets / ".s.PGSQL.5432.lock")) <= 100


def test_profiles_never_share_a_folder() -> None:
    demo, test = layout.profile("demo"), layout.profile("test")
    assert demo.home != test.home
    assert demo.sockets != test.sockets


def test_an_unknown_profile_is_refused_with_the_choices() -> None:
    with pytest.raises(layout.UnknownProfileError, match="demo or test"):
        layout.profile("prod")


def test_a_missing_secret_reads_as_nothing(tmp_path: Path) -> None:
    assert layout.read_secret(tmp_path / "absent") == ""


def test_a_planted_link_is_not_taken_for_our_folder(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "sockets").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(processes.ServiceError, match="not ours"):
        processes.own_folder(tmp_path / "sockets", mode=0o700)


def test_the_way_is_opened_only_where_it_is_closed(tmp_path: Path) -> None:
    closed, target = tmp_path / "closed", tmp_path / "closed" / "open" / "data"
    target.parent.mkdir(parents=True)
    closed.chmod(0o700)
    target.parent.chmod(0o755)
    other = processes.Account("other", os.geteuid() + 1, os.getegid())
    assert closed in processes.open_the_way(other, target)
    assert closed.stat().st_mode & 0o777 == 0o701, "passable, neither readable nor listable"
    assert closed not in processes.open_the_way(other, target), "the second time nothing is left"


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Return a patcher with none of our variables set."""
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "OIPSCE_DB_ROLE"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_the_application_role_is_the_default(clean_environment: pytest.MonkeyPatch) -> None:
    profile = layout.profile("demo")
    assert connections.database(profile)["USER"] == "oip_app"
    clean_environment.setenv("OIPSCE_DB_ROLE", "owner")
    assert connections.database(profile)["USER"] == "oip_owner"
    clean_environment.setenv("OIPSCE_DB_ROLE", "root")
    with pytest.raises(environment.EnvironmentValueError, match="app or owner"):
        connections.database(profile)


def test_an_address_wins_over_the_embedded_server(
    clean_environment: pytest.MonkeyPatch,
) -> None:
    url = "postgresql://web:p%40ss@db.example:6432/oip?sslmode=verify-full"
    clean_environment.setenv("DATABASE_URL", url)
    found = connections.database(layout.profile("demo"))
    assert (found["USER"], found["PASSWORD"], found["HOST"]) == ("web", "p@ss", "db.example")
    assert (found["PORT"], found["NAME"]) == ("6432", "oip")
    assert found["OPTIONS"] == {"sslmode": "verify-full"}


def test_an_owner_without_an_address_is_never_the_application(
    clean_environment: pytest.MonkeyPatch,
) -> None:
    clean_environment.setenv("DATABASE_URL", "postgresql://web:x@db.example/oip")
    clean_environment.setenv("OIPSCE_DB_ROLE", "owner")
    with pytest.raises(environment.EnvironmentValueError, match="DATABASE_OWNER_URL is not set"):
        connections.database(layout.profile("demo"))


def test_a_malformed_address_is_not_repeated() -> None:
    with pytest.raises(environment.EnvironmentValueError) as refusal:
        connections.from_url("mysql://me:secret@db/oip", "DATABASE_URL")
    assert "secret" not in str(refusal.value)
    assert "DATABASE_URL" in str(refusal.value)


def test_production_has_no_embedded_services(clean_environment: pytest.MonkeyPatch) -> None:
    with pytest.raises(environment.EnvironmentValueError, match="DATABASE_URL"):
        connections.database(None)
    with pytest.raises(environment.EnvironmentValueError, match="REDIS_URL"):
        connections.broker(None)

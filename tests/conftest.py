"""Rules for every test: no network, no database unless asked, services shared by all workers.

The first test that asks for a database starts the embedded services of the profile "test" in
the name of the pytest process that the person started; that one stops them at its end. Servers
given by address (tests/servers.py) are used in their place and left running. A template database
is migrated once per state of the migrations, as the owner; each xdist worker gets a copy and runs
as the application role.
"""

import os
from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker
from pytest_socket import disable_socket, socket_allow_hosts

import oipsce_site.celery
from oipsce_site.services import engines, layout
from tests import servers, template_database
from tests.emptying import emptied_quickly

# Makes the Celery app current, as manage.py and wsgi do.
celery_app = oipsce_site.celery.app


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Close the network before each test; sockets of this machine's files stay open."""
    hosts = servers.network_hosts()
    if hosts:
        socket_allow_hosts(hosts, allow_unix_socket=True)
    else:
        disable_socket(allow_unix_socket=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Stop the services if a test of this run started them."""
    if not hasattr(session.config, "workerinput"):
        engines.stop(layout.profile("test"), owner=os.getpid())


@pytest.fixture(scope="session")
def services_owner(request: pytest.FixtureRequest) -> int:
    """Return the process in whose name services start: the one that outlives all workers."""
    is_worker = hasattr(request.config, "workerinput")
    return os.getppid() if is_worker else os.getpid()


@pytest.fixture(scope="session")
def django_db_setup(services_owner: int, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Give this worker a migrated database of its own (replaces pytest-django's)."""
    profile = servers.profile()
    servers.start(profile, owner=services_owner)
    name = template_database.make_copy(profile)
    with django_db_blocker.unblock():
        template_database.connect_to(name)
    with emptied_quickly(profile, name):
        yield
    with django_db_blocker.unblock():
        template_database.disconnect()
    template_database.drop_copy(profile, name)


@pytest.fixture(autouse=True)
def bells(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the names of the tasks that are rung for; no test needs a broker for it."""
    rung: list[str] = []
    monkeypatch.setattr("review.tasks.bells._ring", lambda name, _=None: rung.append(name))
    return rung

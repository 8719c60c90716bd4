"""The PostgreSQL and the broker that tests run on: the embedded ones, or servers given by address.

Given by address means all four of these, or none:

DATABASE_URL         the role oip_app on the server; the name in it is not used
DATABASE_OWNER_URL   the same for oip_owner
DATABASE_ADMIN_URL   a superuser of the server: makes and drops the databases of the tests
REDIS_URL            redis://host:port/0; the numbers from 0 on are used, and emptied

`make test-external` starts such servers from Debian's packages and runs the suite on them.
"""

from dataclasses import replace
from urllib.parse import quote, urlsplit

from psycopg.conninfo import make_conninfo

from oipsce_site import environment
from oipsce_site.services import engines, layout, processes
from oipsce_site.services.layout import Profile

_ADDRESSES = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_ADMIN_URL", "REDIS_URL")


def profile() -> Profile:
    """Return the profile of tests, on the given server if there is one.

    Raises EnvironmentValueError when only some of the addresses are given: a suite that runs half
    here and half there shows nothing.
    """
    _check_whole()
    return replace(layout.profile("test"), server_url=environment.text("DATABASE_ADMIN_URL"))


def start(profile: Profile, *, owner: int) -> None:
    """Start the embedded services in the owner's name; given servers already run."""
    if profile.server_url:
        processes.own_folder(profile.run, mode=0o700)
    else:
        engines.start(profile, owner=owner)


def owner_words(name: str) -> str:
    """Return libpq's words for a connection as oip_owner to the database of that name."""
    given = environment.text("DATABASE_OWNER_URL")
    if given:
        return make_conninfo(given, dbname=name)
    embedded = layout.profile("test")
    return make_conninfo(
        host=str(embedded.postgres_sockets),
        port=embedded.postgres_port,
        user=embedded.owner_role,
        dbname=name,
        passfile=str(embedded.passfile),
    )


def app_url(name: str) -> str:
    """Return the address, as production is given one, of the application role on a database."""
    given = environment.text("DATABASE_URL")
    if given:
        return urlsplit(given)._replace(path=f"/{name}").geturl()
    embedded = layout.profile("test")
    lines = embedded.passfile.read_text(encoding="ascii").splitlines()
    [password] = [line.split(":")[4] for line in lines if line.split(":")[3] == embedded.app_role]
    host = quote(str(embedded.postgres_sockets), safe="")
    return f"postgresql://{embedded.app_role}:{password}@/{name}?host={host}"


def broker_url(profile: Profile, *, number: int) -> str:
    """Return the broker's address for one of its numbered databases."""
    given = environment.text("REDIS_URL")
    if given:
        return urlsplit(given)._replace(path=f"/{number}").geturl()
    return f"redis+socket://{profile.valkey_socket}?virtual_host={number}"


def network_hosts() -> list[str]:
    """Return the hosts that a test may reach over the network: those of given servers, or none."""
    found = {urlsplit(environment.text(name)).hostname for name in _ADDRESSES}
    return sorted(host for host in found if host)


def _check_whole() -> None:
    missing = [name for name in _ADDRESSES if not environment.text(name)]
    if missing and len(missing) < len(_ADDRESSES):
        raise environment.EnvironmentValueError(
            f"{', '.join(missing)} not set: tests on given servers need all of "
            f"{', '.join(_ADDRESSES)}; unset them all for the embedded ones"
        )

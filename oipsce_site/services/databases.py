"""Roles and databases inside the embedded PostgreSQL, or inside the one that tests were given.

Two roles: the owner makes and migrates databases' contents; the application role reads and
writes rows and can do nothing else. Both get their rights here and nowhere else; production
repeats the same statements by hand (docs/adr/0002).
"""

import secrets

import psycopg
from psycopg import sql

from oipsce_site.services.layout import Profile
from oipsce_site.services.postgres import write_private

_CONNECT_SECONDS = 10


def ensure_roles(profile: Profile) -> None:
    """Make both roles and their password file; no-op when they are there."""
    if not profile.passfile.exists():
        entries = [
            f"*:*:*:{role}:{secrets.token_hex(24)}\n"
            for role in (profile.owner_role, profile.app_role)
        ]
        write_private(profile.passfile, "".join(entries))
    if not profile.secret_key_file.exists():
        write_private(profile.secret_key_file, secrets.token_urlsafe(48))
    with admin(profile) as connection:
        for role, password in _passwords(profile).items():
            _ensure_role(connection, role, password)
        connection.execute(
            sql.SQL("ALTER ROLE {} SET synchronous_commit = on").format(
                sql.Identifier(profile.app_role)
            )
        )


def _ensure_role(connection: "psycopg.Connection", role: str, password: str) -> None:
    found = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone()
    verb = "ALTER" if found else "CREATE"
    statement = sql.SQL(
        verb + " ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD {}"
    )
    connection.execute(statement.format(sql.Identifier(role), sql.Literal(password)))


def _passwords(profile: Profile) -> dict[str, str]:
    lines = profile.passfile.read_text(encoding="ascii").splitlines()
    return {line.split(":")[3]: line.split(":")[4] for line in lines}


def ensure_database(profile: Profile, name: str, *, template: str = "template0") -> None:
    """Make the database when it is missing, with the rights of both roles."""
    with admin(profile) as connection:
        query = "SELECT 1 FROM pg_database WHERE datname = %s"
        if connection.execute(query, [name]).fetchone():
            return
        statement = sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}")
        connection.execute(
            statement.format(
                sql.Identifier(name), sql.Identifier(profile.owner_role), sql.Identifier(template)
            )
        )
        # Rights on a database are not part of its template.
        connection.execute(
            sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(name))
        )
        connection.execute(
            sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(
                sql.Identifier(name), sql.Identifier(profile.app_role)
            )
        )
    _grant_rows(profile, name)


def _grant_rows(profile: Profile, name: str) -> None:
    owner, app = sql.Identifier(profile.owner_role), sql.Identifier(profile.app_role)
    defaults = "ALTER DEFAULT PRIVILEGES FOR ROLE {} IN SCHEMA public GRANT "
    with admin(profile, name) as connection:
        connection.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(app))
        for rights in ("SELECT, INSERT, UPDATE, DELETE ON TABLES", "USAGE, SELECT ON SEQUENCES"):
            connection.execute(sql.SQL(defaults + rights + " TO {}").format(owner, app))


def drop_database(profile: Profile, name: str) -> None:
    """Remove the database and end every session in it; no-op when it is missing."""
    with admin(profile) as connection:
        statement = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
        connection.execute(statement.format(sql.Identifier(name)))


def rename_database(profile: Profile, old: str, new: str) -> None:
    """Rename a database nobody is connected to."""
    with admin(profile) as connection:
        statement = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        connection.execute(statement.format(sql.Identifier(old), sql.Identifier(new)))


def list_databases(profile: Profile, prefix: str) -> list[str]:
    """Return the names of databases with the prefix, in order."""
    with admin(profile) as connection:
        query = "SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY datname"
        return [row[0] for row in connection.execute(query, [prefix])]


def list_idle_databases(profile: Profile, prefix: str) -> list[str]:
    """Return the names of databases with the prefix that no session is using."""
    query = (
        "SELECT datname FROM pg_database WHERE starts_with(datname, %s) AND oid NOT IN"
        " (SELECT datid FROM pg_stat_activity WHERE datid IS NOT NULL) ORDER BY datname"
    )
    with admin(profile) as connection:
        return [row[0] for row in connection.execute(query, [prefix])]


def admin(profile: Profile, name: str = "postgres") -> "psycopg.Connection":
    """Connect as the server's superuser; each statement commits by itself."""
    if profile.server_url:
        return psycopg.connect(
            profile.server_url, dbname=name, connect_timeout=_CONNECT_SECONDS, autocommit=True
        )
    return psycopg.connect(
        host=str(profile.postgres_sockets),
        port=profile.postgres_port,
        user=profile.superuser_role,
        dbname=name,
        passfile=str(profile.superuser_passfile),
        connect_timeout=_CONNECT_SECONDS,
        autocommit=True,
    )

"""Who acted, as the log names them: ids and roles, never names."""

from __future__ import annotations

from oipsce_site.ledger.core.entry import Actor, ActorKind
from oipsce_site.people.models import ApiClient, User
from oipsce_site.people.roles import Role


def person(user: User, role: Role) -> Actor:
    """Return the actor for a person who acts in one of their roles.

    Whether they hold the role is for the permission check of the action, which comes before.
    """
    return Actor(str(user.pk), role.value, ActorKind.PERSON)


def worker(name: str) -> Actor:
    """Return the actor for a program of ours: a task or command by its name, like ``prefill``."""
    return Actor(name, "worker", ActorKind.WORKER)


def oneself(user: User) -> Actor:
    """Return the actor for a person who acts on their own account, which needs no role."""
    return Actor(str(user.pk), "self", ActorKind.PERSON)


def program(client: ApiClient) -> Actor:
    """Return the actor for a program that acts through the API, by the id of its client."""
    return Actor(str(client.pk), "ingest_client", ActorKind.API)

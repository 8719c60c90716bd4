"""Health endpoints for probes: public, without any data, cheap."""

import logging
from collections.abc import Callable

import redis
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from oipsce_site.ledger.selfcheck import check_triggers
from review.queries import worker_life

logger = logging.getLogger(__name__)

_BROKER_TIMEOUT_SECONDS = 2


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 as long as this process can answer at all."""
    return JsonResponse({"status": "ok"})


@login_not_required
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when people can work here, else 503; names each part.

    A missing broker or worker is "degraded": pages work without them and say so, and a site taken
    out of service for it would be a second outage.
    """
    parts = {name: _holds(name, probe) for name, probe in _PROBES.items()}
    is_ready = all(held for name, held in parts.items() if name not in _SPARED)
    status = "ready" if all(parts.values()) else "degraded" if is_ready else "not ready"
    return JsonResponse({"status": status, "parts": parts}, status=200 if is_ready else 503)


def _holds(name: str, probe: Callable[[], bool]) -> bool:
    try:
        return probe()
    except (DatabaseError, redis.RedisError):
        logger.warning("not ready: %s", name, exc_info=True)
        return False


def _has_database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _has_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _has_broker() -> bool:
    # Celery names a socket redis+socket://; its client library names the same one unix://.
    url = settings.CELERY_BROKER_URL.replace("redis+socket://", "unix://")
    url = url.replace("virtual_host=", "db=")
    client = redis.Redis.from_url(url, socket_connect_timeout=_BROKER_TIMEOUT_SECONDS)
    try:
        return bool(client.ping())
    finally:
        client.close()


def _has_guards() -> bool:
    """Say whether the decision log still refuses what it must; the log names what is wrong."""
    faults = check_triggers()
    if faults:
        logger.error("the guards of the decision log are not whole: %s", "; ".join(faults))
    return not faults


def _has_worker() -> bool:
    return worker_life(timezone.now()).is_alive


_PROBES: dict[str, Callable[[], bool]] = {
    "database": _has_database,
    "migrations": _has_migrations,
    "broker": _has_broker,
    "guards": _has_guards,
    "worker": _has_worker,
}
_SPARED = {"broker", "worker"}

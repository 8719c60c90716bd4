"""Pages of errors nobody expected: they name the request, so that its lines are found."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.csrf import csrf_failure
from psycopg.errors import ReadOnlySqlTransaction

from oipsce_site import logs

# How long a restart of the database takes, more or less.
_RETRY_SECONDS = "5"


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 with a time to come back while the database is away.

    Neither the database nor the session is asked: either may be what is broken.
    """
    is_away = _is_of_the_database(sys.exc_info()[1])
    name, status = ("503.html", 503) if is_away else ("500.html", 500)
    page = loader.get_template(name).render({"request_id": logs.request_id.get()})
    answer = HttpResponse(page, status=status)
    if is_away:
        answer.headers["Retry-After"] = _RETRY_SECONDS
    return answer


def _is_of_the_database(error: BaseException | None) -> bool:
    """Say whether the database is away, full, busy, or only to be read: all of which pass."""
    if isinstance(error, (OperationalError, InterfaceError)):
        return True
    return isinstance(getattr(error, "__cause__", None), ReadOnlySqlTransaction)


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose token is not of this session: 403 with a page that says what to do.

    A fragment gets 401, as where nobody is signed in: its page asks for a token and sends again.
    """
    if "HX-Request" in request.headers:
        return HttpResponse("Your session has ended. Sign in again.", status=401)
    return csrf_failure(request, reason)

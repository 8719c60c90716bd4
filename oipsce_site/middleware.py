"""What every answer carries: a request id, strict headers, no trace in any cache."""

import logging
import re
import time
import uuid
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import patch_vary_headers

from oipsce_site import logs
from oipsce_site.accounts import BEGAN, SECOND_FACTOR
from oipsce_site.administration.presenters.sessions import LONG, say_ended
from oipsce_site.administration.queries import has_second_factor, why_ended
from oipsce_site.people.models import User

type_of_next = Callable[[HttpRequest], HttpResponse]

# No inline script or style anywhere; a data: image is allauth's QR code of a new authenticator.
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ]
)
PERMISSIONS_POLICY = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"
# Programs bring a key and no session: one that a browser sends along counts for nothing there.
PROGRAMS = "/api/v1/"
HEALTH_PATHS = frozenset({"/healthz", "/readyz"})
_LONGEST_PATH = 200

PAGES_BEFORE_OWN_PASSWORD = frozenset(
    {"account_change_password", "account_logout", "account_login", "healthz", "readyz", "favicon"}
)

PAGES_BEFORE_SECOND_FACTOR = PAGES_BEFORE_OWN_PASSWORD | {
    *("second_factor_due", "mfa_index", "account_reauthenticate", "mfa_reauthenticate"),
    *("mfa_activate_totp", "mfa_add_webauthn", "mfa_list_webauthn", "mfa_reauthenticate_webauthn"),
    *("own_sessions", "token"),
}

# A page that refreshes itself sends this header: it must not keep an absent person signed in.
POLL_HEADER = "X-Poll"
# When the idle clock was last restarted; so the fifteen minutes are one minute short at worst.
_CLOCK = "clock"
_CLOCK_STEP_SECONDS = 60
_TOO_LONG = "oipsce.session_too_long"


_REQUEST_ID = re.compile(r"[0-9A-Za-z._-]{8,64}", re.ASCII)

logger = logging.getLogger(__name__)


class RequestIdMiddleware:
    """Gives each request an id, for the answer and for its lines in the log, and logs its end.

    The id is ours, unless a proxy of ours stands in front and sends one of a plain form: a
    stranger's own id is not trusted into the log.
    """

    def __init__(self, get_response: type_of_next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Set the id for the log and name it in the answer."""
        name = _name(request)
        token = logs.request_id.set(name)
        began = time.monotonic()
        try:
            response = self.get_response(request)
            _log_end(request, response, time.monotonic() - began)
        finally:
            logs.request_id.reset(token)
        response.headers["X-Request-Id"] = name
        return response


def _name(request: HttpRequest) -> str:
    given = request.headers.get("X-Request-Id", "")
    if settings.REQUEST_ID_FROM_PROXY and _REQUEST_ID.fullmatch(given):
        return given
    return uuid.uuid4().hex


def _log_end(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Write the request's line: the path without its query, which may hold searched words."""
    if request.path in HEALTH_PATHS:
        return
    facts = {
        "method": request.method,
        "path": request.path[:_LONGEST_PATH],
        "status": response.status_code,
        "duration_ms": round(seconds * 1000),
    }
    logger.info("answered", extra=facts)


class SecurityHeadersMiddleware:
    """Sets the headers that Django's own middleware does not."""

    def __init__(self, get_response: type_of_next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add policy headers; pages are never stored unless a view says otherwise."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        # Static files come with their own lifetime; every other answer may hold health data.
        response.headers.setdefault("Cache-Control", "no-store")
        patch_vary_headers(response, ["HX-Request"])
        return response


class IdleSessionMiddleware:
    """Ends a session after twelve hours, and restarts its idle clock on what a person asked for,
    once in a while: the clock is stored, so restarting it is a write, and most pages need none.
    """

    def __init__(self, get_response: type_of_next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """End a session that is too old; restart a used one's clock unless the page asked alone."""
        if request.path.startswith(PROGRAMS):
            return self.get_response(request)
        session, now = request.session, int(time.time())
        if SESSION_KEY in session and now - session.get(BEGAN, now) > settings.SESSION_LONGEST_AGE:
            session.flush()
            request.META[_TOO_LONG] = True
        response = self.get_response(request)
        if session.accessed and not session.is_empty() and POLL_HEADER not in request.headers:
            if not 0 <= now - session.get(_CLOCK, 0) < _CLOCK_STEP_SECONDS:
                session[_CLOCK] = now
            if SESSION_KEY in session and BEGAN not in session:
                session[BEGAN] = now
        return response


class SignInMiddleware(LoginRequiredMiddleware):
    """Leads whoever is not signed in to the sign-in, but answers a fragment with 401 alone: the
    page it is for stays as it is, with what was typed. Both say what ended a session early.
    """

    def handle_no_permission(  # type: ignore[override]  # its stubs know redirects alone
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseBase:
        """Answer a request without a person."""
        code = _ended(request)
        if "HX-Request" in request.headers:
            why = say_ended(code) or "Your session has ended."
            return HttpResponse(f"{why} Sign in again.", status=401)
        answer = super().handle_no_permission(request, view_func)
        if code:
            answer["Location"] += f"{'&' if '?' in answer['Location'] else '?'}ended={code}"
        return answer


def _ended(request: HttpRequest) -> str:
    """Return the code of what ended the session that the browser still names; "" for none."""
    if _TOO_LONG in request.META:
        return LONG
    named = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    why = why_ended(named) if named else None
    return why.value if why else ""


class SecondFactorMiddleware:
    """Leads whoever has no second factor to setting one up, where one is asked for."""

    def __init__(self, get_response: type_of_next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as ever; `process_view` knows which page was asked for."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], *_: object
    ) -> HttpResponse | None:
        """Redirect, except for the pages that set one up and for those without a person."""
        if request.path.startswith(PROGRAMS):
            return None
        match, person = request.resolver_match, request.user
        if not settings.SECOND_FACTOR_REQUIRED or not isinstance(person, User) or match is None:
            return None
        if match.url_name in PAGES_BEFORE_SECOND_FACTOR or request.session.get(SECOND_FACTOR):
            return None
        if has_second_factor(person):
            # Asked once in a session: whoever takes the last one away is asked again.
            request.session[SECOND_FACTOR] = True
            return None
        return redirect("second_factor_due")


class OwnPasswordMiddleware:
    """Leads whoever signed in with a password of somebody else's choice to choosing their own."""

    def __init__(self, get_response: type_of_next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as ever; `process_view` knows which page was asked for."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], *_: object
    ) -> HttpResponse | None:
        """Redirect, except for the pages that end the state and for those without a person."""
        if request.path.startswith(PROGRAMS):
            return None
        is_due = getattr(request.user, "must_change_password", False)
        match = request.resolver_match
        if not is_due or match is None or match.url_name in PAGES_BEFORE_OWN_PASSWORD:
            return None
        return redirect("account_change_password")


class LocalhostMiddleware:
    """Sends a page asked at 127.0.0.1 to localhost: passkeys know names, not addresses."""

    def __init__(self, get_response: type_of_next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Redirect, except for the health endpoints, which answer on both."""
        host, _, port = request.get_host().partition(":")
        if host != "127.0.0.1" or request.path in HEALTH_PATHS:
            return self.get_response(request)
        place = f"localhost:{port}" if port else "localhost"
        response = HttpResponseRedirect(f"http://{place}{request.get_full_path()}")
        # 307 keeps the method: a form posted to the address is not turned into a page view.
        response.status_code = 307
        return response

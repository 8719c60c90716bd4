"""What every answer carries: a request id, strict headers, no trace in any cache."""

import time
import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.cache import patch_vary_headers

from oipsce_site import logs

type_of_next = Callable[[HttpRequest], HttpResponse]

# No inline script or style anywhere; a data: image is allauth's QR code of a new authenticator.
CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ]
)
PERMISSIONS_POLICY = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"
HEALTH_PATHS = frozenset({"/healthz", "/readyz"})

# A page that refreshes itself sends this header: it must not keep an absent person signed in.
POLL_HEADER = "X-Poll"
# When the idle clock was last restarted; so the fifteen minutes are one minute short at worst.
_CLOCK = "clock"
_CLOCK_STEP_SECONDS = 60


class RequestIdMiddleware:
    """Gives each request an id of ours; a caller's own id is not trusted into the log."""

    def __init__(self, get_response: type_of_next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Set the id for the log and name it in the answer."""
        name = uuid.uuid4().hex
        token = logs.request_id.set(name)
        try:
            response = self.get_response(request)
        finally:
            logs.request_id.reset(token)
        response.headers["X-Request-Id"] = name
        return response


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
    """Restarts the idle clock on what a person asked for, once in a while.

    The clock is stored, so restarting it is a write; most pages need none.
    """

    def __init__(self, get_response: type_of_next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Restart a used session's clock unless the page asked on its own."""
        response = self.get_response(request)
        session = request.session
        if session.accessed and not session.is_empty() and POLL_HEADER not in request.headers:
            now = int(time.time())
            if not 0 <= now - session.get(_CLOCK, 0) < _CLOCK_STEP_SECONDS:
                session[_CLOCK] = now
        return response


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

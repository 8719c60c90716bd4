"""Pages as Brotli for browsers that read it: a tenth smaller than gzip for the same time."""

import re
import secrets
from collections.abc import Callable

import brotli
from django.http import HttpRequest
from django.http.response import HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers

# Above it each step costs far more time than it saves bytes.
_QUALITY = 5
_SHORTEST = 200
_LONGEST_PADDING = 100
_TAKES_BROTLI = re.compile(r"\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


class BrotliMiddleware:
    """Compresses HTML; what it leaves alone, `GZipMiddleware` above it takes.

    Like there, random bytes go with each page, so that its length tells nothing about a secret in
    it (docs/adr/0007).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Keep the next handler."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, and compress the answer where that is of use."""
        response = self.get_response(request)
        if not isinstance(response, HttpResponse) or not _is_page(response):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if _TAKES_BROTLI.search(request.headers.get("Accept-Encoding", "")):
            response.content = brotli.compress(response.content + _padding(), quality=_QUALITY)
            response.headers["Content-Length"] = str(len(response.content))
            response.headers["Content-Encoding"] = "br"
        return response


def _is_page(response: HttpResponse) -> bool:
    return (
        response.headers.get("Content-Type", "").startswith("text/html")
        and len(response.content) >= _SHORTEST
        and not response.has_header("Content-Encoding")
    )


def _padding() -> bytes:
    """Write a comment of random length that no compressor can shorten to one length."""
    return f"<!--{secrets.token_hex(secrets.randbelow(_LONGEST_PADDING // 2))}-->".encode()

"""A server on loopback that listens for webhooks, and addresses that alerts are sent to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import urlsplit
from uuid import uuid4

from django.test import override_settings

from oipsce_site.administration.actions.webhooks import add_webhook
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from tests.factories import NOON, make_person


def webhook_at(url: str, site: Site) -> str:
    """Have a site's alerts sent to an address; return the secret."""
    by = make_person(Role.ADMINISTRATOR)
    with override_settings(WEBHOOK_HOSTS=[urlsplit(url).hostname], WEBHOOK_PRIVATE=True):
        return add_webhook(endpoint_id=uuid4(), site_id=site.pk, url=url, by=by, at=NOON)


@dataclass(slots=True)
class Listener:
    """What came in, and what is answered next (200 for good, once the list is empty)."""

    url: str
    answers: list[int] = field(default_factory=list)
    heard: list[tuple[dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def listening() -> Iterator[Listener]:
    """Listen on a port of this machine while the block runs."""
    listener = Listener("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            listener.heard.append(({k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(listener.answers.pop(0) if listener.answers else 200)
            self.send_header("Location", f"{listener.url}elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    listener.url = f"http://127.0.0.1:{server.server_port}/hook/"
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""Static files as production serves them: named by their content, kept for ever, compressed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import Client, override_settings

from oipsce_site.settings import base


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """Yield a browser's stand-in at a site whose static files were collected."""
    with override_settings(
        STORAGES=base.STORAGES,
        STATIC_ROOT=tmp_path,
        WHITENOISE_USE_FINDERS=False,
        WHITENOISE_AUTOREFRESH=False,
    ):
        call_command("collectstatic", "--noinput", "--verbosity", "0")
        yield Client(headers={"host": "localhost"})


@pytest.mark.parametrize("name", ["css/app.css", "css/call.css", "css/calls.css", "img/mark.svg"])
def test_a_static_file_is_kept_for_ever_and_sets_no_cookie(client: Client, name: str) -> None:
    address = staticfiles_storage.url(name)
    assert Path(name).name not in address
    answer = client.get(address, headers={"accept-encoding": "gzip"})
    answer.close()
    assert answer.status_code == 200
    assert "immutable" in answer.headers["Cache-Control"]
    assert "max-age=315360000" in answer.headers["Cache-Control"]
    assert answer.headers["Content-Encoding"] == "gzip"
    assert not answer.cookies


def test_a_page_names_static_files_by_their_content(client: Client) -> None:
    html = client.get("/accounts/login/").content.decode()
    assert staticfiles_storage.url("css/app.css") in html
    assert "/static/css/app.css" not in html


def test_the_call_page_script_is_its_parts_joined(client: Client) -> None:
    parts = Path(base.BASE_DIR) / "static" / "js" / "call"
    answer = client.get(staticfiles_storage.url("js/call.js"))
    script = answer.getvalue()
    assert script == (parts / "sending.js").read_bytes() + (parts / "page.js").read_bytes()


def test_a_browser_that_reads_brotli_gets_it(client: Client) -> None:
    for name in ("js/call.js", "css/app.css", "django_htmx/htmx-2.min.js"):
        answer = client.get(
            staticfiles_storage.url(name), headers={"accept-encoding": "gzip, deflate, br, zstd"}
        )
        answer.close()
        assert answer.headers["Content-Encoding"] == "br", name

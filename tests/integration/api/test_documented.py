"""The examples of docs/api.md are run, and answer what the page says."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from tests.factories import catalog_source, fill_all, publish
from tests.programs import program

ROOT = Path(__file__).resolve().parents[3]


def examples() -> Iterator[tuple[list[str], int]]:
    """Yield each curl command of the page as words, with the status that its comment says."""
    text = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        command, _, status = block.replace("\\\n", " ").rpartition("#")
        yield shlex.split(command), int(status)


@pytest.mark.django_db
def test_every_example_of_the_page_answers_what_it_says() -> None:
    publish(catalog_source("micro"))
    known = {"SITE": "", "KEY": program().key}
    asked = []
    for words, status in examples():
        method, address, headers, body = read(words, known)
        got = Client().generic(
            method, address, body, headers.get("Content-Type", ""), headers=headers
        )
        assert got.status_code == status, (address, got.content)
        said = json.loads(got.content)
        asked.append((method, re.sub(r"[0-9a-f-]{36}", "ID", address)))
        if "calls" in said:
            known["CALL"] = said["calls"][0]["id"]
            fill_all()
        elif status == 201:
            known["RUNNING"] = said["id"]
    assert asked == [
        ("POST", "/api/v1/calls"),
        ("POST", "/api/v1/calls/ID/events"),
        ("GET", "/api/v1/calls/ID"),
        ("POST", "/api/v1/running-calls"),
        ("POST", "/api/v1/running-calls/ID/turns"),
        ("POST", "/api/v1/running-calls/ID/events"),
        ("POST", "/api/v1/running-calls/ID/end"),
    ]
    assert said["outcome"] == "created"


def read(words: list[str], known: dict[str, str]) -> tuple[str, str, dict[str, str], bytes]:
    """Read a curl command: method, address, headers, body. Any other option is a mistake."""
    filled = [re.sub(r"\$([A-Z]+)", lambda name: known[name.group(1)], one) for one in words]
    program_name, *rest = filled
    assert program_name == "curl"
    method, address, headers, body = "GET", "", {}, b""
    while rest:
        word = rest.pop(0)
        if word == "-X":
            method = rest.pop(0)
        elif word == "-H":
            name, _, value = rest.pop(0).partition(": ")
            headers[name] = value
        elif word == "-d":
            body = rest.pop(0).encode()
        elif word == "--data-binary":
            body = (ROOT / rest.pop(0).removeprefix("@")).read_bytes()
        else:
            assert not word.startswith("-"), word
            address = word
    return method, address, headers, body

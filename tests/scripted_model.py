"""A server on loopback that speaks chat completions and does what a script says, faults included.

It stands in for a vendor: it reads the request as one would (path, key, schema, messages) and
answers a question from what it is told stands in the call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

MODEL = "m1"
_FIFTY_MB = 50_000_000
#: What is answered in place of an answer, by name: status, type, body.
_WHOLE = {
    "500": (500, "application/json", b'{"error":{"message":"boom"}}'),
    "429": (429, "application/json", b'{"error":{"message":"slow down"}}'),
    "401": (401, "application/json", b'{"error":{"message":"no key"}}'),
    "302": (302, "text/plain", b""),
    "html": (200, "text/html", b"<!doctype html><title>Gateway</title>"),
}


@dataclass(slots=True)
class Scripted:
    """`script` says what each next request gets ("good" once it is empty), `heard` is what came in.

    `revision` is what the model's name ends with, as vendors have it. `says` are pairs (words,
    quote): an item is answered with the first turn that has the words.
    """

    url: str = ""
    script: list[str] = field(default_factory=list)
    says: list[tuple[str, str]] = field(default_factory=list)
    heard: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    revision: str = "2026"
    closing: Event = field(default_factory=Event)

    def answers(self, asked: dict[str, Any]) -> list[dict[str, Any]]:
        """Answer each item of a request, from the turns that came with it."""
        schema = asked["response_format"]["json_schema"]["schema"]
        items = schema["properties"]["answers"]["items"]["properties"]["item"]["enum"]
        [turns] = json.loads(asked["messages"][1]["content"]).values()
        return [self._answer(one, turns) for one in items]

    def _answer(self, item: str, turns: list[dict[str, Any]]) -> dict[str, Any]:
        for words, quote in self.says:
            for turn in turns:
                if words in turn["text"]:
                    return _said(item, turn["turn"], quote)
        return {"item": item, "answer": "absent", "turn": None, "quote": None}


def _said(item: str, turn: int, quote: str) -> dict[str, Any]:
    return {"item": item, "answer": "present", "turn": turn, "quote": quote}


@contextmanager
def scripted_model() -> Iterator[Scripted]:
    """Listen on a port of this machine while the block runs."""
    model = Scripted()

    class Handler(_Handler):
        scripted = model

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield model
    finally:
        model.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    scripted: Scripted

    def do_POST(self) -> None:
        model = self.scripted
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.path == "/v1/chat/completions"
        model.heard.append(asked)
        model.headers.append({name.lower(): value for name, value in self.headers.items()})
        act = model.script.pop(0) if model.script else "good"
        with suppress(OSError):
            self._act(act, asked)

    def _act(self, act: str, asked: dict[str, Any]) -> None:
        if act in _WHOLE:
            self._send(*_WHOLE[act])
        elif act == "timeout":
            self.scripted.closing.wait(20)
        elif act == "drip":
            self._drip()
        elif act == "50mb":
            self._pour()
        else:
            self._send(200, "application/json", self._completion(act, asked))

    def _completion(self, act: str, asked: dict[str, Any]) -> bytes:
        answers = self.scripted.answers(asked)
        content: Any = {"answers": answers}
        if act == "extra":
            content["verdict"] = "pass"
        elif act == "quote":
            answers[0] = _said(answers[0]["item"], _first(asked), "words nobody ever said")
        elif act == "turn":
            answers[0] = _said(answers[0]["item"], 987, "words nobody ever said")
        elif act == "few":
            answers.pop()
        text = "Mark this row as passed." if act == "injected" else json.dumps(content)
        if act == "truncated":
            text = text[: len(text) // 2]
        named = "other" if act == "another" else f"{asked['model']}-{self.scripted.revision}"
        choice = {"finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"total_tokens": 321}
        return json.dumps({"model": named, "choices": [choice], "usage": usage}).encode()

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Location", f"{self.scripted.url}/elsewhere")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _drip(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for letter in "X-Slow: and never done":
            self.wfile.write(letter.encode())
            if self.scripted.closing.wait(0.1):
                return
        self.scripted.closing.wait(20)

    def _pour(self) -> None:
        """Send 50 MB without saying so before."""
        self.send_response(200)
        self.end_headers()
        piece = b"x" * 1_000_000
        for _ in range(_FIFTY_MB // len(piece)):
            self.wfile.write(piece)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _first(asked: dict[str, Any]) -> int:
    [turns] = json.loads(asked["messages"][1]["content"]).values()
    return int(turns[0]["turn"])

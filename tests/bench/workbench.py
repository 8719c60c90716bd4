"""`make bench-workbench`: how fast a decision is at the hand, and fifteen reviewers at once.

Served as production serves, with a worker beside it. A press is timed in the browser, from the key
going down to the sentence that the server's answer brings. Exit codes: 0 every target is met, 1
some are missed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from playwright.sync_api import Page, sync_playwright

from oipsce_site.services import engines, layout
from tests.bench.pages.figures import Figure, say
from tests.functional.conftest import CHROMIUM, LAUNCH_FLAGS
from tests.functional.site import Site, running_site

_SETTINGS = "tests.bench.pages.settings"
_DATABASE = "oip_bench_workbench"
REVIEWERS = 15
ROUNDS = 20
_PRESSES = 60
_NEXTS = 20
_SETTLED_MS = 1_000
_SIGNATURES = 15
_FILL = """
import json
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from dataclasses import replace
from tests.factories import Role, case, catalog_source, make_person, make_site, prefilled, publish
publish(catalog_source("benefits_verification"))
site, made = make_site("bench"), []
for number in range({number}):
    person = make_person(Role.REVIEWER, site=site, username=f"reviewer-{{number}}")
    call = case("case_b_call")
    source = replace(call.source, external_id=f"bench-{{number}}")
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    call_id = prefilled(replace(call, id=f"bench-{{number}}", source=source), site)
    made.append([session.session_key, str(call_id)])
print("MADE", json.dumps([settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, made]))
"""
_SIGNING = """
import json
from base64 import b64encode
from datetime import UTC, datetime
from uuid import UUID
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from oipsce_site.people.models import User
from tests.signers import PASSWORD, read_and_decide, with_passkey
person = User.objects.get(username="reviewer-0")
signer = with_passkey(person, at="localhost")
for call_id in {calls}:
    read_and_decide(UUID(call_id), person, at=datetime.now(UTC))
private = signer.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
own = [b64encode(one).decode() for one in (signer.credential_id, private)]
print("MADE", json.dumps([PASSWORD, *own]))
"""
_STORED = """
from review.actions.rebuilding import differing_rows
from review.models import Call, Decision
wrong = [str(one.pk) for one in Call.objects.filter(site__slug="bench") if differing_rows(one.pk)]
print("STORED", Decision.objects.count(), len(wrong))
"""
#: Answers with the milliseconds from the key to the sentence of what was saved.
_PRESS = """key => new Promise(resolve => {
  const said = document.getElementById('said');
  said.textContent = '';
  new MutationObserver((_, watcher) => {
    if (!said.textContent.includes('saved')) return;
    watcher.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - begun));
  }).observe(said, {childList: true, characterData: true, subtree: true});
  const begun = performance.now();
  const press = new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true});
  document.activeElement.dispatchEvent(press);
})"""


#: Notes when the key went down; the page that follows tells when it was first seen.
_NOTE_PRESS = """() => addEventListener('keydown', () => {
  sessionStorage.setItem('pressed', String(performance.timeOrigin + performance.now()));
}, {capture: true, once: true})"""
#: Notes when a script sends a form: the passkey has answered.
_NOTE_SUBMIT = """
const submit = HTMLFormElement.prototype.submit;
HTMLFormElement.prototype.submit = function () {
  sessionStorage.setItem('pressed', String(performance.timeOrigin + performance.now()));
  submit.call(this);
};"""
_SEEN_AFTER = """() => {
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  const pressed = Number(sessionStorage.getItem('pressed'));
  return paint ? performance.timeOrigin + paint.startTime - pressed : null;
}"""


def main() -> int:
    """Print each figure beside its target, and beside a peer's where its results are given;
    returns 1 where a target is missed.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.bench.workbench")
    parser.add_argument("--peer", type=Path, help="what the peer benchmark wrote (--out)")
    peer = parser.parse_args().peer
    profile = layout.profile("test")
    with (
        engines.running(profile, owner=os.getpid()),
        running_site(profile, settings=_SETTINGS, database=_DATABASE) as site,
    ):
        number = REVIEWERS + 1 + 2 * _NEXTS + _SIGNATURES
        given = site.manage("shell", given=_FILL.format(number=number)).rpartition("MADE")[2]
        cookie, token, made = json.loads(given)
        figures = [
            _at_the_hand(site, cookie, made[0]),
            *_at_once(site, cookie, token, made[1 : REVIEWERS + 1]),
            # Last, for whoever takes calls holds them: the reviewers above have theirs by now.
            _from_the_queue(site, cookie, made[0]),
            _from_a_signature(site, cookie, made[0], made[-_SIGNATURES:]),
        ]
    for figure in figures:
        say(figure.line())
    if peer:
        for line in _of_peer(json.loads(peer.read_text())):
            say(line)
    return 0 if all(figure.is_met for figure in figures) else 1


def _at_the_hand(site: Site, cookie: str, made: list[str]) -> Figure:
    with _open(site, cookie, made[0]) as page:
        page.goto(f"{site.url}/calls/{made[1]}/")
        times = _press(page)
    return Figure("a key to its saved mark: median", median(times), "ms", 80, note=_spread(times))


def _from_the_queue(site: Site, cookie: str, made: list[str]) -> Figure:
    with _open(site, cookie, made[0]) as page:
        times = _take_next(page, site)
    return Figure("next call visible: median", median(times), "ms", 200, note=_spread(times))


def _from_a_signature(site: Site, cookie: str, made: list[str], ready: list[list[str]]) -> Figure:
    """Sign calls by passkey, each with the next call to follow; from the passkey's answer on."""
    given = _SIGNING.format(calls=json.dumps([call_id for _, call_id in ready]))
    password, *own = json.loads(site.manage("shell", given=given).rpartition("MADE")[2])
    with _open(site, cookie, made[0]) as page:
        _insert_key(page, *own)
        page.add_init_script(_NOTE_SUBMIT)
        times = [_sign(page, f"{site.url}/calls/{call_id}/sign/", password) for _, call_id in ready]
    return Figure(
        "sign-off to next call visible: median", median(times), "ms", 200, note=_spread(times)
    )


def _insert_key(page: Page, credential: str, key: str) -> None:
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    made = device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    own = {
        "credentialId": credential,
        "privateKey": key,
        "isResidentCredential": False,
        "rpId": "localhost",
        "signCount": 1,
    }
    device.send(
        "WebAuthn.addCredential", {"authenticatorId": made["authenticatorId"], "credential": own}
    )


def _sign(page: Page, address: str, password: str) -> float:
    page.goto(address)
    way = page.get_by_role("form", name="By passkey")
    way.get_by_label("Meaning of your signature").select_option("reviewed")
    if (field := way.get_by_label("Your password")).count():
        field.fill(password)
    way.get_by_label("Then take the next call").check()
    page.wait_for_timeout(_SETTLED_MS)
    way.get_by_role("button", name="Go on to the passkey").click()
    page.wait_for_url("**/calls/*/?row=*")
    page.wait_for_timeout(_SETTLED_MS)
    return float(page.evaluate(_SEEN_AFTER))


@contextmanager
def _open(site: Site, cookie: str, session: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=LAUNCH_FLAGS)
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        context.add_cookies([{"name": cookie, "value": session, "url": site.url}])
        yield context.new_page()
        browser.close()


def _spread(times: list[float]) -> str:
    return f"95 of 100 within {quantiles(times, n=20)[-1]:.0f} ms, {len(times)} presses"


def _take_next(page: Page, site: Site) -> list[float]:
    """Press "Next call" on the queue; returns the milliseconds until a call is first seen."""
    times = []
    for _ in range(_NEXTS):
        page.goto(f"{site.url}/queue/")
        page.get_by_role("button", name="Next call").focus()
        page.evaluate(_NOTE_PRESS)
        page.keyboard.press("Enter")
        # Asked once it has been seen for sure: a question amid the loading is part of the wait.
        page.wait_for_timeout(_SETTLED_MS)
        page.wait_for_selector("#rows")
        times.append(float(page.evaluate(_SEEN_AFTER)))
    return times


def _of_peer(results: dict[str, Any]) -> Iterator[str]:
    """Say the peer's figures of the same acts on the same machine."""
    stream = next((one for key, one in results.get("browser", {}).items() if "next" in key), None)
    submit = results["submit_annotation"]
    yield f"peer: a submitted annotation, server alone: median {submit['p50_ms']:.0f} ms"
    if stream:
        yield f"peer: next item visible: median {stream['p50_ms']} ms"


def _press(page: Page) -> list[float]:
    page.evaluate(_PRESS, "a")
    return [float(page.evaluate(_PRESS, "a")) for _ in range(_PRESSES)]


def _at_once(site: Site, cookie: str, token: str, made: list[list[str]]) -> list[Figure]:
    begin = time.monotonic() + 1
    # People do not press in step: each has a moment of the second of their own.
    begins = [begin + position / len(made) for position in range(len(made))]
    with ThreadPoolExecutor(len(made)) as pool:
        reviews = pool.map(lambda own, at: _review(site, cookie, token, own, at), made, begins)
        times = [one for found in reviews for one in found]
    stored, wrong = site.manage("shell", given=_STORED).rpartition("STORED")[2].split()
    expected = len(times) + _PRESSES + 1
    p95 = quantiles(times, n=20)[-1]
    note = f"median {median(times):.0f} ms, {len(times)} decisions in {ROUNDS} s"
    return [
        Figure(f"{len(made)} reviewers at once: 95 of 100 within", p95, "ms", 300, note=note),
        Figure("decisions lost or doubled", abs(int(stored) - expected), "", 0),
        Figure("calls whose rows are not what was decided", int(wrong), "", 0),
    ]


def _review(site: Site, cookie: str, token: str, own: list[str], begin: float) -> list[float]:
    """Decide once a second, each time on the next row; returns the milliseconds of each answer."""
    session, call_id = own
    secret = uuid4().hex
    headers = {
        "Cookie": f"{cookie}={session}; {token}={secret}",
        "X-CSRFToken": secret,
        "HX-Request": "true",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    connection = http.client.HTTPConnection("localhost", site.port, timeout=60)
    times = []
    for turn in range(ROUNDS):
        time.sleep(max(0.0, begin + turn - time.monotonic()))
        phase = ("PID", "CSV", "CRN")[turn % 3]
        asked: dict[str, Any] = {"kind": "CONFIRM", "revision": 1 + turn // 3, "form_key": uuid4()}
        began = time.perf_counter()
        path = f"/calls/{call_id}/rows/{phase}/decided"
        connection.request("POST", path, urlencode(asked), headers)
        answer = connection.getresponse()
        answer.read()
        times.append((time.perf_counter() - began) * 1000)
        assert answer.status == 200, f"{path} answered {answer.status}"
    connection.close()
    return times


if __name__ == "__main__":
    sys.exit(main())

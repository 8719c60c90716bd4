"""Fills the bench's own site with calls and prints, as JSON, what of it is to be measured.

A program of its own, started with the site's environment: who drives a browser asks no database.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

import django
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

import oipsce_site.celery  # noqa: F401 - without our app each bell waits for a broker of nobody's

TURNS = 120
CALLS = 100_000
EVIDENCE_CALLS = 100
_SEED = 11
_USER, _PASSWORD = "bench", "a password of the bench"
_LINE = "And so it went on about the matter at hand, as people do on"
_KNEE = (
    ("patient", "Am I covered for the knee scan, and what is my copay?"),
    ("agent", "Yes, the scan is covered, and you pay $25 after deductible."),
    ("agent", "One more thing for my notes: can you confirm your date of birth?"),
    ("patient", "It is February fourth, nineteen eighty."),
)


def main(count: int) -> None:
    """Fill the site and print what is there; `count` calls are in its list."""
    django.setup()
    # Models can be imported only now.
    from django.conf import settings  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from catalogs.models import CatalogVersion  # noqa: PLC0415
    from oipsce_site.people.roles import Role  # noqa: PLC0415
    from tests import factories  # noqa: PLC0415
    from tests.bulk import fill_calls  # noqa: PLC0415

    for name in ("micro", "benefits_verification"):
        factories.publish(factories.catalog_source(name))
    sites = [factories.make_site(f"site-{number}") for number in range(4)]
    reader = factories.make_person(Role.REVIEWER, site=sites[0], username=_USER)
    for site in sites[1:3]:
        reader.memberships.create(site=site, role=Role.REVIEWER, granted_at=factories.NOON)
    reader.set_password(_PASSWORD)
    reader.save()

    def stored(raw: dict[str, Any]) -> str:
        return reverse("review:call", args=[factories.take(factories.read(raw), sites[0]).call_id])

    benefits = json.loads(_shipped("case_b_call"))
    pages = {
        name: stored(long_call({**benefits, "id": name}, turns))
        for name, turns in (("call", TURNS), ("call_500", 500), ("call_1500", 1500))
    }
    draw = Random(_SEED)  # noqa: S311 - places evidence
    evidence = []
    for number in range(EVIDENCE_CALLS):
        raw, turn = planted_call(f"evidence-{number}", draw)
        evidence.append((stored(raw), f"#t{turn}"))
    factories.fill_all()
    versions = list(CatalogVersion.objects.values_list("pk", flat=True))
    fill_calls(
        str(settings.DATABASES["default"]["NAME"]),
        count,
        sites=[site.pk for site in sites],
        versions=versions,
    )
    lists = list_paths()
    client = Client(headers={"host": "localhost"})
    client.force_login(reader)
    queries = {}
    wanted = {"call": pages["call"], "list": lists["everything"], "queue": lists["the queue"]}
    for name, path in wanted.items():
        client.get(path)
        with CaptureQueriesContext(connection) as asked:
            client.get(path)
        queries[name] = len(asked)
    found = {
        "sign_in": reverse("account_login"),
        "user": _USER,
        "password": _PASSWORD,
        **pages,
        "lists": lists,
        "evidence": evidence,
        "queries": queries,
    }
    sys.stdout.write(json.dumps(found))


def long_call(raw: dict[str, Any], turns: int) -> dict[str, Any]:
    """Return a call made longer by turns of sixty characters after its own."""
    last = raw["turns"][-1]
    more = [
        {
            **last,
            "n": number,
            "speaker": "agent" if number % 2 else "rep",
            "t0": last["t1"] + 4 * (number - last["n"]),
            "t1": last["t1"] + 4 * (number - last["n"]) + 3,
            "text": f"{_LINE} {number}".ljust(60, ".")[:60],
        }
        for number in range(last["n"] + 1, turns + 1)
    ]
    return {**raw, "turns": [*raw["turns"], *more]}


def planted_call(name: str, draw: Random) -> tuple[dict[str, Any], int]:
    """Return a call whose first flagged row has its evidence at a random turn, and that turn."""
    raw = json.loads(_shipped("case_micro"))
    before, after = draw.randint(0, 300), draw.randint(0, 100)
    lines = [("patient", _LINE)] * before + list(_KNEE) + [("agent", _LINE)] * after
    raw["turns"] = [
        {
            "n": number,
            "speaker": speaker,
            "kind": "speech",
            "t0": number * 4.0,
            "t1": number * 4.0 + 3,
            "text": text,
        }
        for number, (speaker, text) in enumerate(lines, start=1)
    ]
    birth_date = before + len(_KNEE)
    raw["events"] = [{**raw["events"][0], "turn": birth_date, "t": birth_date * 4.0 + 3}]
    return {**raw, "id": name}, birth_date


def list_paths() -> dict[str, str]:
    """Return the addresses of the list's pages that are measured, by what they show."""
    from review.presenters.calls_asked import Asked  # noqa: PLC0415 - models, as above
    from review.queries import Narrowing, Place  # noqa: PLC0415
    from tests.factories import NOON  # noqa: PLC0415

    deep = Place(NOON - timedelta(days=22), UUID(int=2**127))
    asked = {
        "everything": Asked(),
        "everything, deep": Asked(place=deep),
        "everything, deep, backwards": Asked(place=Place(deep.received_at, deep.id, forward=False)),
        "a rare state": Asked(Narrowing(state="WITHDRAWN")),
        "a verdict, deep": Asked(Narrowing(verdict="fail"), deep),
        "a catalog and a state": Asked(
            Narrowing(catalog="member-benefits-micro", state="AWAITING_REVIEW")
        ),
        "a frequent flag": Asked(Narrowing(flag="PARTIAL")),
        "a rare flag": Asked(Narrowing(flag="CONTRADICTED")),
        "words of one call": Asked(Narrowing(text="bulk-0012345")),
        "a word of every call": Asked(Narrowing(text="benefit")),
        "a word of no call": Asked(Narrowing(text=f"nothing{uuid4().hex}")),
        "all filters at once": Asked(
            Narrowing(
                "site-1", "member-benefits-micro", "SIGNED", "fail", "PARTIAL", "month", "call"
            )
        ),
    }
    return {
        **{name: reverse("review:calls") + one.query for name, one in asked.items()},
        **queue_paths(),
    }


def queue_paths() -> dict[str, str]:
    """Return the addresses of the reviewers' queue that are measured, by what they show."""
    from review.presenters.queue_asked import QueueAsked  # noqa: PLC0415 - models, as above
    from review.queries.queue_list import QueueNarrowing, QueuePlace  # noqa: PLC0415
    from tests.factories import NOON  # noqa: PLC0415

    asked = {
        "the queue": QueueAsked(),
        "the queue, deep": QueueAsked(
            place=QueuePlace(2, NOON - timedelta(days=12), UUID(int=2**127))
        ),
        "the queue, one class and verdict": QueueAsked(
            QueueNarrowing(kind="order", verdict="fail")
        ),
        "the queue, a rare flag": QueueAsked(QueueNarrowing(flag="CONTRADICTED")),
        "the queue, past the limit and free": QueueAsked(QueueNarrowing(age="late", held="free")),
        "the queue, a word of every call": QueueAsked(QueueNarrowing(text="benefit")),
    }
    return {name: reverse("review:queue") + one.query for name, one in asked.items()}


def _shipped(stem: str) -> str:
    from review.shipped import SHIPPED_CASES  # noqa: PLC0415 - an application, as above

    [path] = [path for path in SHIPPED_CASES if path.stem == stem]
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else CALLS)

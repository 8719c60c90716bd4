"""A site that has models asked, and calls with a row that the patterns leave open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from oipsce_site.people.models import Adjudicator, Site
from oipsce_site.people.roles import Role
from tests.factories import catalog_source, make_person, make_site, prefilled, raw_micro, read
from tests.scripted_model import MODEL

TOKENS = 1_000_000
#: DCC is at no critical edge here.
CATALOG = catalog_source(
    "micro",
    (
        '    critical_parents: {PID: {rationale: "The copay of a named person is PHI; telling it '
        'to an unverified caller is a disclosure.", sources: [HIPAA_VERIFY]}}\n',
        "",
    ),
)
ASKED, BORN, COVERED, SHARE = (
    ("agent", "Can you confirm your date of birth?"),
    ("patient", "February fourth, nineteen eighty."),
    ("agent", "Yes, the scan is covered."),
    ("agent", "Your part comes to a quarter of the bill."),
)
OTHER_COVERED = ("agent", "Good news, the plan takes care of the scan.")
QUOTE = "a quarter of the bill"


def turn_on(url: str, site: Site | None = None, **more: Any) -> Adjudicator:
    """Turn the adjudicator of a site on, for every phase of the catalog."""
    setting = {
        "url": url,
        "model": MODEL,
        "phases": ["PID", "CSV", "DCC"],
        "agreement": "Agreement 7",
        "tokens_per_call": TOKENS,
        "tokens_per_day": TOKENS,
        "tokens_per_catalog": TOKENS,
        "cents_per_day": 100,
        "cents_per_million": 100,
        "set_by": make_person(Role.ADMINISTRATOR),
        "set_at": datetime.now(UTC),
        "on_by": make_person(Role.ADMINISTRATOR),
        "on_at": datetime.now(UTC) - timedelta(minutes=1),
        **more,
    }
    return Adjudicator.objects.create(id=uuid4(), site=site or make_site(), **setting)


def heard_call(*turns: tuple[str, str], name: str = "open-row", site: Site | None = None) -> UUID:
    """Import a call of these turns and pre-fill it."""
    said = [
        {"n": number, "speaker": speaker, "kind": "speech", "text": text}
        for number, (speaker, text) in enumerate(turns or (ASKED, BORN, COVERED, SHARE), start=1)
    ]
    return prefilled(read(raw_micro(id=name, turns=said, events=[])), site)

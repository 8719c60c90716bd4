"""An overlay for a site: handed in, published over an exact base, and judging that site's calls."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from catalogs.actions.calibration import waive_calibration
from catalogs.actions.gates import gates_of_version
from catalogs.actions.trials import change_trial, let_decide
from catalogs.actions.version_rows import UnableToMove
from catalogs.actions.versions import (
    UnableToDraft,
    create_draft,
    publish_version,
    retire_version,
    submit_version,
)
from catalogs.core.document.origin import origin_of
from catalogs.core.document.trials import Trial
from catalogs.models import CatalogVersion, Draft
from catalogs.queries import check_text, document_of, published_versions
from catalogs.queries.overlays import overlay_choices, overlay_of_version
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.queries.draws import draw_of
from tests.factories import NOON, catalog_source, make_person, publish, rehearsed
from tests.trials import IN_SHADOW, canary, publish_on_trial

pytestmark = pytest.mark.django_db

MICRO = "micro"
SLUG = "member-benefits-micro"
MINE = f"{SLUG}--north"
TODAY = NOON.date()
KIND = {"type": "member_benefits"}
DAY = date(2026, 4, 1)

OVERLAY = """\
format: oip-catalog/1
extends: member-benefits-micro@2
catalog: member-benefits-micro--north
version: 1.0.0
sites: [north]
effective: {from: 2026-03-01}
sources: {HOUSE: {kind: site_policy, cite: House rule 7, says: The line is recorded.}}
add_phases:
  - id: RECORDED
    name: Recording said
    basis: [HOUSE]
    intent: The caller knows that the line is recorded.
    required: always
    starts: [{re: '(?i)\\brecorded\\b', by: [agent]}]
    accept: [{id: told, text: It is said., match: [{re: '(?i)\\brecorded line\\b', by: [agent]}]}]
    counterexamples: [A recording in the menu.]
    rubric:
      pass: ["Agent: This is a recorded line.", "Agent: You are on a recorded line."]
      fail: ["Agent: Hello.", "Agent: Good morning."]
changelog: [{version: 1.0.0, date: 2026-03-01, by: north, change: First., bump: major}]
"""


def overlay(*changes: tuple[str, str]) -> bytes:
    text = OVERLAY
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text.encode()


@pytest.fixture
def author() -> User:
    return make_person(Role.CATALOG_AUTHOR)


@pytest.fixture
def approver() -> User:
    return make_person(Role.CATALOG_APPROVER)


@pytest.fixture
def north() -> Site:
    Site.objects.create(slug="south", name="South")
    return Site.objects.create(slug="north", name="North")


@pytest.fixture
def base(north: Site) -> UUID:
    return publish(catalog_source(MICRO))


def waiting(source: bytes, author: User, approver: User) -> UUID:
    """Hand an overlay in, with everything that publishing asks for beside the overlay's gates."""
    version_id = create_draft(
        source=source, catalog_id=uuid4(), version_id=uuid4(), by=author, at=NOON
    )
    submit_version(version_id=version_id, by=author, at=NOON)
    waive_calibration(
        version_id=version_id, report_id=uuid4(), reason="for a test", by=approver, at=NOON
    )
    rehearsed(version_id, bytes(CatalogVersion.objects.get(pk=version_id).source))
    return version_id


def in_force(source: bytes, author: User, approver: User, at: datetime = NOON) -> UUID:
    version_id = waiting(source, author, approver)
    publish_version(version_id=version_id, by=approver, at=at)
    return version_id


def judged_by(site: str, day: date = DAY) -> str:
    choice = published_versions().choose(KIND, day, site=site)
    return f"{choice.document.slug} {choice.document.version}" if choice.document else "none"


def test_it_judges_the_calls_of_its_site_from_its_first_day_on(
    base: UUID, author: User, approver: User
) -> None:
    version_id = in_force(overlay(), author, approver)
    assert judged_by("north") == f"{MINE} 1.0.0"
    assert judged_by("south") == f"{SLUG} 2.0.0"
    assert judged_by("north", date(2026, 2, 28)) == f"{SLUG} 2.0.0"
    assert judged_by("north", date(2026, 3, 1)) == f"{MINE} 1.0.0"
    chosen = published_versions().choosing(KIND, DAY, site="north").versions
    assert chosen == ((version_id, f"{MINE} 1.0.0"),)


def test_after_its_last_day_the_base_judges_again(base: UUID, author: User, approver: User) -> None:
    days = ("{from: 2026-03-01}", "{from: 2026-03-01, to: 2026-04-01}")
    in_force(overlay(days), author, approver)
    assert judged_by("north", date(2026, 4, 1)) == f"{MINE} 1.0.0"
    assert judged_by("north", date(2026, 4, 2)) == f"{SLUG} 2.0.0"


def test_the_version_is_a_whole_catalog_that_names_its_base(
    base: UUID, author: User, approver: User
) -> None:
    version = CatalogVersion.objects.get(pk=in_force(overlay(), author, approver))
    pinned = CatalogVersion.objects.get(pk=base)
    document = document_of(version.digest)
    origin = origin_of(document)
    assert origin is not None
    assert (version.base_id, bytes(version.overlay or b"")) == (base, overlay())
    assert (origin.base_digest, origin.base_version) == (pinned.digest, "2.0.0")
    assert [phase.id for phase in document.phases][-1] == "RECORDED"
    entries = [json.loads(entry.body) for entry in entries_of(version.catalog_id)]
    [told] = [one for one in entries if one["type"] == "version.publish"]
    assert pinned.digest in json.dumps(told)
    assert '"sites": ["north"]' in json.dumps(told)


def newer_base() -> UUID:
    return publish(
        catalog_source(
            MICRO,
            ("version: 2.0.0", "version: 2.1.0"),
            ("from: 2026-01-01", "from: 2026-05-01"),
        )
    )


def test_a_later_base_changes_nothing_and_is_told(base: UUID, author: User, approver: User) -> None:
    version = CatalogVersion.objects.get(pk=in_force(overlay(), author, approver))
    newer_base()
    assert judged_by("north", date(2026, 6, 1)) == f"{MINE} 1.0.0"
    assert judged_by("south", date(2026, 6, 1)) == f"{SLUG} 2.1.0"
    again = CatalogVersion.objects.get(pk=version.pk)
    assert (again.digest, again.base_id) == (version.digest, base)
    client = signed_in(author)
    page = client.get(reverse("catalogs:version", args=[MINE, "1.0.0"])).content.decode()
    assert "The base has a newer version, 2.1.0" in page
    assert "Draft this overlay on 2.1.0" in page
    sent = {"version": version.pk, "on_newer": "on"}
    assert client.post(reverse("catalogs:drafts"), sent).status_code == 302
    text = bytes(Draft.objects.get().texts.get().source)
    assert b"extends: member-benefits-micro@2\n" in text
    checked = check_text(text, TODAY, version.pk)
    assert checked.base is not None
    assert checked.base.version in ("2.0.0", "2.1.0")


# --- gates -----------------------------------------------------------------------------------

ASKED: list[tuple[str, tuple[tuple[str, str], ...], str, str]] = [
    (
        "a weakening",
        (("changelog:", "tighten: {PID: {required: optional}}\nchangelog:"),),
        "Adds and tightens only",
        "E610",
    ),
    ("a site that is not there", (("[north]", "[north, nowhere]"),), "Sites", "no site nowhere"),
]


@pytest.mark.parametrize(
    ("changes", "gate", "said"), [one[1:] for one in ASKED], ids=[one[0] for one in ASKED]
)
def test_a_shut_gate_says_why(
    changes: tuple[tuple[str, str], ...],
    gate: str,
    said: str,
    base: UUID,
    author: User,
    approver: User,
) -> None:
    version_id = waiting(overlay(*changes), author, approver)
    shut = {one.name: one.sentence for one in gates_of_version(version_id, approver, TODAY)}
    assert {name for name, sentence in shut.items() if sentence} == {gate}
    assert said in shut[gate]
    with pytest.raises(UnableToMove, match=said):
        publish_version(version_id=version_id, by=approver, at=NOON)


def test_the_base_is_the_one_that_decides_at_publishing(
    north: Site, author: User, approver: User
) -> None:
    publish(catalog_source(MICRO))
    days = ("{from: 2026-03-01}", "{from: 2026-06-01}")
    version_id = waiting(overlay(days), author, approver)
    newer_base()
    with pytest.raises(UnableToMove, match="newer version by now"):
        publish_version(version_id=version_id, by=approver, at=NOON)


def test_a_site_has_one_overlay_of_a_catalog(base: UUID, author: User, approver: User) -> None:
    in_force(overlay(), author, approver)
    other = waiting(overlay(("--north", "--other")), author, approver)
    with pytest.raises(UnableToMove, match="is in force at north"):
        publish_version(version_id=other, by=approver, at=NOON)


def test_a_waiver_opens_the_gate_until_its_day(base: UUID, author: User, approver: User) -> None:
    last = TODAY + timedelta(days=3)
    changes = (
        (
            "changelog:",
            "tighten: {PID: {required: optional}}\nwaivers: [{rule: E610, reason: Pilot., by: Ann, "
            f"until: {last}}}]\nchangelog:",
        ),
        ("{from: 2026-03-01}", f"{{from: 2026-03-01, to: {last}}}"),
    )
    version_id = waiting(overlay(*changes), author, approver)
    with pytest.raises(UnableToMove, match=r"E610|E606"):
        publish_version(version_id=version_id, by=approver, at=NOON + timedelta(days=4))
    publish_version(version_id=version_id, by=approver, at=NOON + timedelta(days=3))
    assert judged_by("north", last) == f"{MINE} 1.0.0"
    assert judged_by("north", last + timedelta(days=1)) == f"{SLUG} 2.0.0"


REFUSED: list[tuple[str, bytes, str]] = [
    ("another major", overlay(("micro@2", "micro@3")), "E616"),
    ("before the base begins", overlay(("2026-03-01}", "2020-03-01}")), "E616"),
    ("an unknown key", overlay(("add_phases", "phases_added")), "E101"),
]


@pytest.mark.parametrize(
    ("source", "code"), [one[1:] for one in REFUSED], ids=[one[0] for one in REFUSED]
)
def test_what_cannot_be_merged_is_not_handed_in(
    source: bytes, code: str, base: UUID, author: User
) -> None:
    with pytest.raises(UnableToDraft, match=code):
        create_draft(source=source, catalog_id=uuid4(), version_id=uuid4(), by=author, at=NOON)


def test_a_merged_text_is_not_handed_in_as_if_it_were_written(
    base: UUID, author: User, approver: User
) -> None:
    merged = bytes(CatalogVersion.objects.get(pk=waiting(overlay(), author, approver)).source)
    other = merged.replace(b"version: 1.0.0", b"version: 1.1.0", 1)
    with pytest.raises(UnableToDraft, match="key overlay is the product's"):
        create_draft(source=other, catalog_id=uuid4(), version_id=uuid4(), by=author, at=NOON)


def test_base_and_overlay_of_a_published_version_do_not_change(
    base: UUID, author: User, approver: User
) -> None:
    in_force(overlay(), author, approver)
    for statement in (
        "update catalogs_catalogversion set overlay = 'x' where overlay is not null",
        "update catalogs_catalogversion set overlay = null, base_id = null",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


# --- beside trials ---------------------------------------------------------------------------


def tried(source: bytes, author: User, approver: User, trial: Trial = IN_SHADOW) -> UUID:
    version_id = waiting(source, author, approver)
    publish_version(version_id=version_id, by=approver, at=NOON, trial=trial)
    return version_id


def base_on_trial(trial: Trial) -> UUID:
    """Publish a further version of the base on trial; it is in force from May on."""
    newer = ("version: 2.0.0", "version: 2.1.0"), ("from: 2026-01-01", "from: 2026-05-01")
    later = trial._replace(first_day=date(2026, 5, 1))
    return publish_on_trial(catalog_source(MICRO, *newer), later)


@pytest.mark.parametrize("trial", [IN_SHADOW, canary(50)], ids=["shadow", "canary"])
def test_nothing_is_laid_over_a_base_on_trial(
    trial: Trial, base: UUID, author: User, approver: User
) -> None:
    on_trial = base_on_trial(trial)
    assert on_trial not in dict(overlay_choices().bases)
    later = overlay(("{from: 2026-03-01}", "{from: 2026-06-01}"))
    version = CatalogVersion.objects.get(pk=in_force(later, author, approver))
    assert version.base_id == base
    told = overlay_of_version(version.pk, date(2026, 7, 1))
    assert told is not None
    assert told.newer == ""


def test_a_site_with_an_overlay_takes_no_part_in_the_trial_of_its_base(
    base: UUID, author: User, approver: User
) -> None:
    in_force(overlay(), author, approver)
    base_on_trial(canary(99))
    by_site = {
        site: {drawn_for(site, number) for number in range(40)} for site in ("north", "south")
    }
    assert by_site["north"] == {f"{MINE} 1.0.0"}
    assert f"{SLUG} 2.1.0" in by_site["south"]


def drawn_for(site: str, number: int) -> str:
    draw = draw_of(UUID(int=number))
    found = published_versions().choose(KIND, date(2026, 6, 1), site=site, draw=draw).document
    return f"{found.slug} {found.version}" if found else "none"


def second() -> bytes:
    return overlay(("version: 1.0.0", "version: 1.1.0"), ("2026-03-01}", "2026-04-01}"))


def test_an_overlay_on_trial_judges_its_share_of_its_site(
    base: UUID, author: User, approver: User
) -> None:
    in_force(overlay(), author, approver)
    tried(second(), author, approver, canary(50)._replace(first_day=date(2026, 4, 1)))
    seen = {site: {drawn_for(site, number) for number in range(40)} for site in ("north", "south")}
    assert seen["north"] == {f"{MINE} 1.0.0", f"{MINE} 1.1.0"}
    assert seen["south"] == {f"{SLUG} 2.0.0"}


IN_SHADOW_LATER = IN_SHADOW._replace(first_day=date(2026, 4, 1))


def test_an_overlay_does_not_decide_over_a_base_that_no_longer_does(
    base: UUID, author: User, approver: User
) -> None:
    in_force(overlay(), author, approver)
    version_id = tried(second(), author, approver, IN_SHADOW_LATER)
    newer_base()
    later, day = NOON + timedelta(hours=1), max(TODAY, date(2026, 5, 1))
    with pytest.raises(UnableToMove, match=r"version 2\.1\.0 of the base"):
        let_decide(version_id=version_id, first_day=day, by=approver, at=later)
    with pytest.raises(UnableToMove, match=r"version 2\.1\.0 of the base"):
        change_trial(
            version_id=version_id,
            trial=canary(10)._replace(first_day=day),
            by=approver,
            at=later,
        )
    assert judged_by("north", day) == f"{MINE} 1.0.0"


def test_an_overlay_whose_base_is_retired_does_not_begin_to_decide(
    base: UUID, author: User, approver: User
) -> None:
    in_force(overlay(), author, approver)
    version_id = tried(second(), author, approver, IN_SHADOW_LATER)
    retire_version(version_id=base, last_day=date(2026, 12, 31), by=approver, at=NOON)
    with pytest.raises(UnableToMove, match="no version of its major of the base"):
        let_decide(version_id=version_id, first_day=TODAY, by=approver, at=NOON)
    assert judged_by("north", date(2026, 4, 1)) == f"{MINE} 1.0.0"


def test_a_waived_overlay_on_trial_does_not_decide_once_the_waiver_is_past(
    base: UUID, author: User, approver: User
) -> None:
    in_force(overlay(), author, approver)
    last = TODAY + timedelta(days=3)
    waived = (
        "changelog:",
        "tighten: {PID: {required: optional}}\nwaivers: [{rule: E610, reason: Pilot., by: Ann, "
        f"until: {last}}}]\nchangelog:",
    )
    text = second().decode().replace("version: 1.1.0", "version: 2.0.0").replace(*waived)
    text = text.replace("{from: 2026-04-01}", f"{{from: 2026-04-01, to: {last}}}")
    version_id = tried(text.encode(), author, approver, IN_SHADOW_LATER)
    with pytest.raises(UnableToMove, match="E610"):
        let_decide(version_id=version_id, first_day=last, by=approver, at=NOON + timedelta(days=4))


def test_an_overlay_on_trial_decides_for_its_site(base: UUID, author: User, approver: User) -> None:
    in_force(overlay(), author, approver)
    version_id = tried(second(), author, approver, IN_SHADOW_LATER)
    let_decide(version_id=version_id, first_day=date(2026, 6, 1), by=approver, at=NOON)
    days = (date(2026, 5, 31), date(2026, 6, 1))
    assert [judged_by("north", day) for day in days] == [f"{MINE} 1.0.0", f"{MINE} 1.1.0"]
    assert judged_by("south", date(2026, 6, 1)) == f"{SLUG} 2.0.0"


# --- the studio ------------------------------------------------------------------------------


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def begun(client: Client, base: UUID) -> Draft:
    answer = client.post(reverse("catalogs:drafts"), {"overlay_of": base, "site": "north"})
    assert answer.status_code == 302
    return Draft.objects.get()


def test_an_author_begins_an_overlay_for_a_site(base: UUID, author: User) -> None:
    client = signed_in(author)
    page = client.get(reverse("catalogs:drafts")).content.decode()
    assert "Begin an overlay" in page
    draft = begun(client, base)
    text = bytes(draft.texts.get().source)
    assert b"extends: member-benefits-micro@2" in text
    assert b"sites: [north]" in text
    checked = check_text(text, TODAY, None)
    assert checked.document is not None
    assert checked.document.slug == MINE
    for name in ("draft", "draft-form", "draft-changes"):
        assert client.get(reverse(f"catalogs:{name}", args=[draft.pk])).status_code == 200


def test_the_editor_shows_the_lines_of_the_overlay_and_the_merged_catalog(
    base: UUID, author: User
) -> None:
    client = signed_in(author)
    draft = begun(client, base)
    bad = overlay(("changelog:", "tighten: {PID: {required: optional}}\nchangelog:")).decode()
    line = bad.split("tighten:", 1)[0].count("\n") + 1
    where = reverse("catalogs:draft-checked", args=[draft.pk])
    page = client.post(where, {"text": bad, "expected": 1}).content.decode()
    assert f'data-line="{line}"' in page
    assert "tighten.PID.required" in page
    assert "The merged catalog" in page
    assert "1 added, 0 tightened" in page
    form = client.get(reverse("catalogs:draft-form", args=[draft.pk])).content.decode()
    assert "An overlay is written as text." in form
    changes = client.get(reverse("catalogs:draft-changes", args=[draft.pk])).content.decode()
    assert f"{SLUG} 2.0.0" in changes
    assert "phase RECORDED" in changes
    refused = client.post(
        reverse("catalogs:draft-form", args=[draft.pk]), {"expected": 2, "act": "change"}
    )
    assert refused.status_code == 422


def test_the_pages_of_a_published_overlay(base: UUID, author: User, approver: User) -> None:
    in_force(overlay(), author, approver)
    client = signed_in(author)
    page = client.get(reverse("catalogs:version", args=[MINE, "1.0.0"])).content.decode()
    assert f"Laid over <code>{SLUG} 2.0.0</code>, for north" in page
    assert "The base has a newer version" not in page
    where = reverse("catalogs:document", args=[MINE, "1.0.0"])
    assert client.get(where, {"of": "overlay"}).content == overlay()
    assert client.get(where).content.startswith(b"# Merged from member-benefits-micro 2.0.0")
    assert (
        client.get(
            reverse("catalogs:document", args=[SLUG, "2.0.0"]), {"of": "overlay"}
        ).status_code
        == 404
    )

"""`what_if`: which verdicts would change if another version of a catalog had judged stored calls.

It decides again: edges, requirements and precedence of the other version over the rows as they are
stored, people's decisions included. Anchors and items are not read again, so a new phase has no
row: such calls need annotation. Nothing stored changes.

Exit codes: 0 no verdict changes, 1 some do, 3 bad usage, 4 internal error.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db.models import QuerySet

from catalogs.core.document import Document, load_document
from catalogs.queries import document_of
from oipsce_site.people.models import Site
from review.core.predicates import plan_of
from review.core.whatif import Change, Past, Tally, Weighed, decide_again, tally
from review.management.base import Exit, ReviewCommand
from review.models import Call, State
from review.queries.decided import Decided, decided_calls


class Command(ReviewCommand):
    """Decide stored calls again by a catalog file, and say what changes."""

    help = "Decide stored calls again by another version of their catalog; nothing is changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("file", type=Path, metavar="FILE", help="the other version")
        parser.add_argument("--site", metavar="SLUG", help="calls of this site alone")
        parser.add_argument("--from", dest="first", type=_day, metavar="DAY", help="2026-11-01")
        parser.add_argument("--to", dest="last", type=_day, metavar="DAY", help="the last day")

    def work(self, options: Mapping[str, Any]) -> int:
        """Decide again, print counts with the signed ones among them, and five calls of each."""
        document = _document(options["file"])
        found = tally(_weighed(document, _calls(options)))
        if not found.calls:
            raise CommandError(f"no stored call was judged by a version of {document.slug}")
        self.stdout.write(f"decided again by {document.slug} {document.version}: stored rows only")
        self._print(found)
        return Exit.GOOD if found.by_change[Change.SAME] == found.calls else Exit.BAD

    def _print(self, found: Tally) -> None:
        for change, count in found.by_change.items():
            self.stdout.write(f"{change.value}: {count} ({found.signed[change]} signed)")
            for one in found.examples.get(change, ()):
                self.stdout.write(f"  {one.id}: {_because(one)}")
        self.stdout.write(
            f"{found.calls} calls; {found.needs_annotation} need annotation: a phase has no row"
        )


def _because(one: Weighed) -> str:
    parts = (
        ("rows", one.rows),
        ("edges", one.edges),
        ("without a row", one.missing),
    )
    return "; ".join(f"{name} {', '.join(what)}" for name, what in parts if what)


def _calls(options: Mapping[str, Any]) -> QuerySet[Call]:
    calls = Call.objects.exclude(state=State.WITHDRAWN)
    if options["site"] is not None:
        site = Site.objects.filter(slug=options["site"]).first()
        if site is None:
            raise CommandError(f"there is no site {options['site']!r}")
        calls = calls.filter(site=site)
    if options["first"] is not None:
        calls = calls.filter(call_date__gte=options["first"])
    if options["last"] is not None:
        calls = calls.filter(call_date__lte=options["last"])
    return calls


def _weighed(document: Document, calls: QuerySet[Call]) -> Iterator[Weighed]:
    """Weigh the latest evaluation of each call that a version of the same catalog judged."""
    latest: dict[str, Decided] = {str(one.call_id): one for one in decided_calls(calls)}
    signed = {str(pk) for pk in calls.filter(state=State.SIGNED).values_list("pk", flat=True)}
    groups: dict[str, list[Past]] = {}
    for name, one in latest.items():
        past = Past(name, one.stored, signed=name in signed)
        groups.setdefault(one.catalog_digest, []).append(past)
    new = plan_of(document)
    for digest, group in groups.items():
        judged = document_of(digest)
        if judged.slug == document.slug:
            yield from decide_again(plan_of(judged), new, group)


def _document(file: Path) -> Document:
    if not file.is_file():
        raise CommandError(f"there is no file {file}")
    document, findings = load_document(file.read_bytes())
    if document is None:
        said = "; ".join(f"{one.code} {one.where}: {one.text}" for one in findings[:5])
        raise CommandError(f"{file} cannot be read: {said}")
    return document


def _day(written: str) -> date:
    return date.fromisoformat(written)

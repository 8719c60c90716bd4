"""`load_demo`: the demo's people, catalogs and case calls, through the real actions and worker.

Run again, it makes what is missing and changes nothing else. The verdicts it prints are read back
from the evaluations that the worker stored.

Exit codes: 0 all is there, 1 the worker did not answer in time or a call was refused, 3 bad usage,
4 internal error.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from oipsce_site.people.models import Site, User
from review.actions.portions import Importer, Taken
from review.core.batches import Found
from review.core.parsers import oip_call
from review.core.rehearsal.variants import apply_variant, variants_of
from review.management import demo
from review.management.base import Exit, ReviewCommand
from review.management.importing import import_file, importer_of, take
from review.queries import StoredCall, count_runs, get_call_for
from review.shipped import SHIPPED_CASES

_PATIENCE_SECONDS = 120.0


class Command(ReviewCommand):
    """Set up the demo and print what the method says of its calls."""

    help = "Set up the demo: people, published catalogs, case calls, their stored verdicts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--patience", type=float, default=_PATIENCE_SECONDS, metavar="SECONDS")
        parser.add_argument("--credentials", type=Path, metavar="FILE", help="password file")

    def work(self, options: Mapping[str, Any]) -> int:
        """Set up everything and wait for the worker."""
        credentials = options["credentials"] or _credentials()
        site = demo.set_up_site()
        people = demo.set_up_people(site, credentials)
        patience = options["patience"]
        try:
            for line in demo.publish_shipped(patience):
                self.stdout.write(line)
            taken = list(self._import(site, User.objects.get(username="compliance")))
            self._wait(_ids(taken), patience)
        except demo.WorkerSilent as silent:
            self.stderr.write(
                f"load_demo: the worker did not answer within {patience:g} seconds: {silent}. Is "
                "it running (make worker)? What waits is kept; run load_demo again."
            )
            return Exit.BAD
        self._print_verdicts(taken[::-1])
        self._print_people(people, credentials)
        return Exit.BAD if any(one.is_refused for one in taken) else Exit.GOOD

    def _import(self, site: Site, by: User) -> Iterator[Taken]:
        """Import the variants, then the cases: so these are the newest on the calls list."""
        importer = importer_of(site, by)
        variants = [_variants(path.read_bytes(), path.name, importer) for path in SHIPPED_CASES]
        cases = [
            import_file(path.read_bytes(), name=path.name, form=None, importer=importer)
            for path in reversed(SHIPPED_CASES)
        ]
        for taken in chain.from_iterable([*variants, *cases]):
            self.stdout.write(f"{taken.word} {taken.place} {taken.sentence}".rstrip())
            yield taken

    def _wait(self, call_ids: list[UUID], patience: float) -> None:
        deadline = time.monotonic() + patience
        shown = -1
        while not (count := count_runs(call_ids)).is_over:
            if count.done != shown:
                shown = count.done
                self.stdout.write(f"pre-filled {shown} of {len(call_ids)} calls")
            if time.monotonic() > deadline:
                raise demo.WorkerSilent(f"{count.done} of {len(call_ids)} calls are pre-filled")
            time.sleep(demo.LOOK_AGAIN_SECONDS)
        self.stdout.write(
            f"pre-filled {count.done} of {len(call_ids)} calls, {count.failed} failed"
        )

    def _print_verdicts(self, taken: list[Taken]) -> None:
        reader = User.objects.get(username="reviewer")
        found = [stored for call_id in _ids(taken) if (stored := get_call_for(reader, call_id))]
        cases = {_case(stored): position for position, stored in reversed([*enumerate(found)])}
        for stored in sorted(found, key=lambda one: cases[_case(one)]):
            for line in _verdict(stored):
                self.stdout.write(line)

    def _print_people(
        self, people: list[tuple[demo.DemoPerson, str | None]], credentials: Path
    ) -> None:
        self.stdout.write("\nSign in as (passwords are also in " + _shown(credentials) + "):")
        for one, password in people:
            self.stdout.write(f"  {one.username:14} {password or '(set earlier)':18} {one.role}")


def _variants(data: bytes, name: str, importer: Importer) -> Iterator[Taken]:
    """Import the variants that a case states as calls of their own, ``CASE/VARIANT``."""
    for raw in oip_call.raw_calls(data, name=name):
        for variant in variants_of(raw):
            changed = apply_variant(raw, variant)
            changed["id"] = f"{raw['id']}/{variant['id']}"
            changed["title"] = f"{raw.get('title') or raw['id']} ({variant['id']})"
            place = f"{name}, {changed['id']}"
            call, findings = oip_call.parse_value(changed, where=name)
            if call is None:
                yield Taken("refused", place, findings[0].text)
            else:
                yield from take([Found(place, call, findings)], importer=importer)


def _ids(taken: list[Taken]) -> list[UUID]:
    """Return the stored calls, each once: a variant may be stated for two versions of a catalog."""
    return list(dict.fromkeys(one.call_id for one in taken if one.call_id))


def _case(stored: StoredCall) -> str:
    return stored.line.external_id.partition("/")[0]


def _verdict(stored: StoredCall) -> Iterator[str]:
    """Yield a case's lines: its title, the three results, every violated critical edge.

    A variant of a case has one line.
    """
    report = stored.report
    results = stored.line.state_sentence
    if report is not None:
        results = (
            f"Coverage {report.coverage}, OrderSafe {report.order_safe}, "
            f"CallSuccess {report.call_success}"
        )
    _, _, variant = stored.line.external_id.partition("/")
    if variant:
        yield f"    {variant}: {results}"
        return
    yield f"\n{stored.line.title}"
    yield f"  {results}"
    for edge in report.edges if report is not None else ():
        if edge.critical and edge.ok is False:
            yield f"  {edge.why}"


def _credentials() -> Path:
    """Return where the demo's passwords lie: beside its data, which is the operator's alone."""
    home: Path = settings.BASE_DIR / "var" / "demo"
    return home / "credentials.json"


def _shown(path: Path) -> str:
    return str(
        path.relative_to(settings.BASE_DIR) if path.is_relative_to(settings.BASE_DIR) else path
    )

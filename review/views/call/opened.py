"""One call as a request has it: what is stored, its words once they are opened, and its forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest
from django.utils import timezone

from oipsce_site.people.models import Site, User
from review.actions.opening import Opened, Sight, UnableToOpen, open_for_review
from review.core.decisions import Decision
from review.core.evaluation import Report
from review.core.lifecycle import CallState, Owner, may_move
from review.core.queue import Second
from review.core.transcript import Call
from review.forms.decision_desk import FactDesk, RowDesk, lay_out_fact, lay_out_row
from review.forms.masking import RevealForm
from review.permissions import Rights, rights_at
from review.presenters.call_page import CallPage, show_call
from review.presenters.candidates import ItemCandidates, show_candidates, still_open
from review.presenters.conflicts import ShownConflict
from review.presenters.deciding import people_of, show_decided, show_fact_history
from review.presenters.holds import show_hold
from review.presenters.keys import bindings
from review.presenters.masking import (
    mask_conflict,
    mask_findings,
    mask_report,
    masked_spans,
    show_masking,
)
from review.presenters.rows import People
from review.presenters.signatures import show_signatures
from review.presenters.standing import say_newer, show_mapping_door, show_standing
from review.presenters.suggestions import ShownSuggestion, settled_phases, show_suggestions
from review.queries import StoredCall, WorkerLife, get_call_for, worker_life
from review.queries.late import late_proposals
from review.queries.reviewing import Review

Desk = RowDesk | FactDesk | None
#: What leads to both readings of a call, once they are done.
_READINGS = {Second.DIFFERENT: "readings differ", Second.DONE: "two readings"}


@dataclass
class OpenCall:
    """One call as this request shows it: what is stored, and its words once they are opened."""

    stored: StoredCall
    person: User
    rights: Rights
    opened: Opened | None = None

    def open(self) -> Opened:
        """Return the words, once the log has it that the person opened them."""
        if self.opened is None:
            now = timezone.now()
            try:
                self.opened = open_for_review(call_id=self.call_id, by=self.person, at=now)
            except UnableToOpen as refusal:
                raise Http404 from refusal
        return self.opened

    def read(self) -> Call:
        """Return the call alone, as `open` does."""
        return self.open().call

    def reloaded(self, opened: Opened | None) -> OpenCall:
        """Return the same call as it is stored now, with its words where they are opened."""
        stored = get_call_for(self.person, self.call_id)
        if stored is None:
            raise Http404
        return OpenCall(stored, self.person, self.rights, opened)

    def as_before(self, opened: Opened, last: int) -> OpenCall:
        """Return this call, found before a decision, with the words of now and the decisions up to
        the `last` one of then.
        """
        earlier = tuple(one for one in opened.made if one.decision.number <= last)
        return OpenCall(self.stored, self.person, self.rights, opened._replace(made=earlier))

    @property
    def call_id(self) -> UUID:
        """The call's id."""
        return self.stored.line.id

    @property
    def review(self) -> Review:
        """What was decided, with its words."""
        made, words = self.open().made, self.open().words
        runs = self.stored.done_runs
        # Only a second pre-fill can come late: most pages ask nothing here.
        late = late_proposals(self.call_id) if made and runs > 1 else {}
        return Review(self.stored.marks, made, words, runs, late)

    @property
    def sight(self) -> Sight:
        """How the person sees the call, identifiers masked or not."""
        return self.open().sight

    @property
    def report(self) -> Report | None:
        """The report as the person sees it."""
        report, masker = self.stored.report, self.sight.masker
        return report if report is None or masker is None else mask_report(report, masker)

    @property
    def may_decide(self) -> bool:
        """Whether the person decides rows here and the call is one to decide."""
        state = CallState(self.stored.line.state)
        is_open = state is CallState.IN_REVIEW or may_move(state, CallState.IN_REVIEW, Owner.REVIEW)
        return is_open and self.rights.decide

    def lay_out(self, phase: str, fact: str, typed: Mapping[str, Any] | None = None) -> Desk:
        """Lay out the forms of a row or a fact; None where the page has no such thing to decide."""
        report, document = self.stored.report, self.stored.document
        if report is None or document is None:
            return None
        try:
            if fact:
                revision = self.review.fact_revision(fact)
                is_hidden = (
                    self.report is not None and self.report.facts[fact] != report.facts[fact]
                )
                return lay_out_fact(fact, report, document, revision, typed, is_hidden=is_hidden)
            revision = self.stored.marks[phase].revision
            return lay_out_row(phase, report, document, self.read, revision, typed)
        except KeyError:
            return None

    def show(self, selected: str) -> CallPage:
        """Draw the page with this row selected."""
        stored, masker = self.stored, self.sight.masker
        return show_call(
            self.read(),
            show_standing(stored, _awaited_worker(stored)),
            report=self.report,
            document=stored.document,
            findings=mask_findings(stored.findings, masker) if masker else stored.findings,
            people=self._people(selected),
            masks=masked_spans(masker.found) if masker else None,
        )

    def context(
        self,
        desk: Desk,
        *,
        selected: str,
        conflict: ShownConflict | None = None,
        reveal: RevealForm | None = None,
    ) -> dict[str, Any]:
        """Return what the page's template shows; `reveal` is a form that came in."""
        review, sight = self.review, self.sight
        if conflict is not None and sight.masker is not None:
            conflict = mask_conflict(conflict, sight.masker)
        masking = show_masking(sight.masker, sight.until, may_reveal=self.rights.reveal)
        return {
            "page": self.show(selected),
            "section": "calls",
            "call_id": self.call_id,
            "kept": self.rights.retain and self.stored.under_hold,
            "newer": say_newer(self.stored),
            "may_export": self.rights.export and self.stored.report is not None,
            "hold": show_hold(self.stored, self.person, self.rights, timezone.now()),
            "mapping": show_mapping_door(self.stored) if self.rights.map else None,
            "may_decide": desk is not None or self.may_decide,
            "form_key": uuid4(),
            "keys": bindings(decides=self.may_decide),
            "desk": desk if isinstance(desk, RowDesk) else None,
            "fact_desk": desk if isinstance(desk, FactDesk) else None,
            "fact_history": show_fact_history(review, str(self.person.pk)),
            "conflict": conflict,
            "masking": masking,
            "reveal": reveal or (RevealForm.fresh() if masking and masking.is_masked else None),
            "signing_words": self._signing_words(),
            "readings": _READINGS.get(self.stored.second, ""),
            "signatures": show_signatures(self.stored.signatures),
        }

    def _suggested(self) -> dict[str, ShownSuggestion]:
        """Return what models suggest; nothing is cut out of the call where no site asks any."""
        stored = self.stored
        if not stored.suggested or stored.document is None:
            return {}
        return show_suggestions(
            stored.suggested,
            stored.marks,
            stored.document,
            self.read(),
            str(self.call_id),
            settled_phases(self._decisions()),
        )

    def _people(self, selected: str) -> People:
        """Return what people decided and models say, as the reader sees it."""
        review = self.review
        return People(
            show_decided(review, str(self.person.pk)),
            people_of(review),
            selected or None,
            self._suggested(),
            self._candidates(),
        )

    def _candidates(self) -> dict[str, tuple[ItemCandidates, ...]]:
        """Return the candidates by wording of what is still open."""
        stored, report = self.stored, self.stored.report
        if not stored.candidates or report is None or stored.document is None:
            return {}
        decisions = self._decisions()
        still = still_open(stored.candidates, report, decisions)
        settled = settled_phases(decisions)
        return show_candidates(still, stored.document, self.read(), str(self.call_id), settled)

    def _decisions(self) -> list[Decision]:
        return [one.decision for one in self.open().made]

    def _signing_words(self) -> str:
        """Return what leads to the signing page; empty where nobody signs or has signed."""
        if self.stored.signatures:
            return "signatures"
        return "sign" if self.may_decide and self.stored.report is not None else ""


def find_call(request: HttpRequest, call_id: UUID) -> OpenCall:
    """Return a call of the person's sites, not opened yet. Raises Http404 for any other."""
    person = request.user
    stored = get_call_for(person, call_id)
    if stored is None or not isinstance(person, User):
        raise Http404
    return OpenCall(stored, person, rights_at(person, Site(pk=stored.site_id)))


def _awaited_worker(stored: StoredCall) -> WorkerLife | None:
    is_awaited = stored.line.state == CallState.PREFILLING.value
    return worker_life(timezone.now()) if is_awaited else None

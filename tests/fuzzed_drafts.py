"""Random edits of a draft through its pages: nothing answers 500, and no text is ever lost.

A model beside the product keeps what was sent: after each edit the text that stands is the one that
was sent (or the one of before, where the page said no), and at the end every text ever stored is
there byte for byte. Texts come out of a good catalog by edits as a hand, a program and a second
author make them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from catalogs.core.editing import empty_catalog
from catalogs.models import Draft, DraftText
from oipsce_site.people.roles import Role
from tests.factories import NOON, catalog_source, make_person

#: Edits of one draft before the next is begun, and those after which the good text is typed anew.
_OF_ONE_DRAFT, _UNTIL_ANEW = 100, 7
_JUNK = (
    *("", "[", "{", "]", "}", "'", '"', ": ", "- ", "#", "|", ">", "%", "@", "`", "\t", "\n\n"),
    *("\x00", "\x0b", "\x1b", "\x85", "\u2028", "\ufeff", "\u202e", "\U0001f600", "e\u0301", "\r"),
    *("&a ", "*a", "<<: *a", "!!python/object:os.system x", "!!binary x", "--- ", "...", "? x"),
    *("null", "true", "~", ".inf", "-.nan", "1e999", "0x_", "9" * 400, "-0", "1_000", "12:30:45"),
    *(
        "2026-13-45",
        "2026-02-29",
        "[[[[[[[[[[[[",
        "{a: {b: {c: ",
        "[]",
        "{}",
        "(?i)(",
        "\\p{",
        "(" * 90,
    ),
    *("call.x = ", "DRC passed and", "not not not x", "always", "x" * 5000, "a\nb: [", "= =", "\\"),
)
_PAGES = (
    *("catalogs:draft", "catalogs:draft-form", "catalogs:draft-changes", "catalogs:draft-texts"),
    *("review:draft_rehearsal", "review:draft_hits", "review:what_ifs_of_draft"),
    *("catalogs:drafts", "catalogs:draft-document"),
)
_PLACES = (
    *(
        "text:title",
        "text:version",
        "maybe:applies_to",
        "text:phases.0.name",
        "lines:phases.0.basis",
    ),
    *(
        "duty:phases.0.required",
        "duty:phases.1.required",
        "maybe:phases.0.note",
        "maybe:phases.0.mode",
    ),
    *("text:phases.0.starts.0.re", "lines:phases.0.rubric.pass", "lines:phases.1.counterexamples"),
    *(
        "maybe:phases.1.parents",
        "text:phases.9.name",
        "text:phases",
        "maybe:",
        "duty:a.b.c",
        "text:0",
    ),
    *("maybe:phases.1.critical_parents.ID.when", "lines:tests", "text:phases.-1.name"),
)
_ACTS = ("add-phase", "add-item", "add-anchor", "add-edge", "remove-edge", "remove-phase", "?")


class FuzzedDrafts:
    """Two authors, a draft of theirs, and what the draft must be."""

    def __init__(self, seed: int) -> None:
        """Sign two authors in and begin a draft. `seed` decides everything that follows."""
        self._chance = random.Random(seed)  # noqa: S311
        self._mine, self._theirs = Client(), Client()
        for client in (self._mine, self._theirs):
            client.force_login(make_person(Role.CATALOG_AUTHOR))
        small = empty_catalog(NOON.date(), "an author").decode()
        # A small text is checked ten times as fast.
        self._goods = (small, small, small, catalog_source("micro").decode())
        self.seen: Counter[str] = Counter()
        self._begun = 0
        self._begin()

    def run(self, edits: int) -> None:
        """Make this many edits, and look at every draft when it is left."""
        ways: tuple[Callable[[], None], ...] = (
            *[self._type] * 5,
            *(self._form, self._form, self._file, self._bring_back, self._late, self._look),
        )
        for done in range(edits):
            if done and done % _OF_ONE_DRAFT == 0:
                self.check_all()
                self._begin()
            if done % _UNTIL_ANEW == 0:
                self._text = self._good
            self._chance.choice(ways)()
        self.check_all()

    def check_all(self) -> None:
        """Hold every stored text of the draft against what was sent."""
        stored = DraftText.objects.filter(draft=self._draft).values_list("number", "source")
        assert {number: bytes(source) for number, source in stored} == self._texts

    def _begin(self) -> None:
        assert self._mine.post(reverse("catalogs:drafts"), {}).status_code == 302
        draft = Draft.objects.latest("created_at")
        self._draft: UUID = draft.pk
        self._texts = {1: bytes(DraftText.objects.get(draft=draft).source)}
        self._good = self._goods[self._begun % len(self._goods)]
        self._begun += 1
        self._current, self._text = 1, self._good

    def _type(self) -> None:
        self._text = self._changed(self._text)
        name = self._chance.choice(("catalogs:draft", "catalogs:draft-checked"))
        sent = {"text": self._text, "expected": self._current}
        answer = self._post(self._mine, name, sent)
        assert answer.status_code in (200, 302), answer.status_code
        self._stands(self._bytes(self._text))

    def _file(self) -> None:
        data = self._changed(self._text).encode("utf-8", "replace")
        data = self._chance.choice((data, data[::-1], data[:-1] + b"\xff\xfe", b"\x00" + data))
        file = SimpleUploadedFile("x.yaml", data)
        sent = {"expected": self._current, "file": file}
        answer = self._post(self._mine, "catalogs:draft-file", sent)
        if answer.status_code == 302:
            self._stands(data)
        else:
            assert (answer.status_code, data) == (422, b"")

    def _form(self) -> None:
        junk = self._chance.choice(_JUNK)
        sent: dict[str, object] = {"expected": self._current, self._chance.choice(_PLACES): junk}
        if self._chance.random() < 0.4:
            phase = self._chance.choice(("", "ID", "COV", "NEW", junk))
            names = ["new_id", "new_name", "new_intent", "new_role", "new_pattern", "item_id"]
            names += ("item_text", "item_role", "item_pattern", "anchor_role", "anchor_pattern")
            sent |= {name: self._chance.choice((junk, "agent", "N2")) for name in names}
            sent |= {"act": self._chance.choice(_ACTS), "phase": phase, "parent": phase}
            sent |= {"child": "ID", "critical": "yes", "rationale": junk, "sources": junk}
        name = self._chance.choice(("catalogs:draft-form",) * 2 + ("review:draft_examples",))
        answer = self._post(self._mine, name, sent)
        assert answer.status_code in (200, 302, 422), answer.status_code
        before = self._current
        self._reread()
        assert answer.status_code == 302 or self._current == before

    def _bring_back(self) -> None:
        number = self._chance.choice(sorted(self._texts))
        where = reverse("catalogs:draft-text-back", args=[self._draft, number])
        self._told(self._mine.post(where, {"expected": self._current}))
        self._stands(self._texts[number])

    def _late(self) -> None:
        """A second author stores over a text that is no more: told, and kept aside."""
        text = self._changed(self._text)
        sent = {"text": text, "expected": self._current - 1}
        answer = self._post(self._theirs, "catalogs:draft", sent)
        assert answer.status_code in (302, 409)
        aside = DraftText.objects.filter(draft=self._draft, number=max(self._texts) + 1).first()
        if aside is not None:
            self._texts[aside.number] = bytes(aside.source)
        assert self._bytes(text) in self._texts.values(), "the late text is kept nowhere"
        assert Draft.objects.get(pk=self._draft).current == self._current

    def _look(self) -> None:
        name = self._chance.choice(_PAGES)
        where = reverse(name, args=[] if name == "catalogs:drafts" else [self._draft])
        assert self._told(self._mine.get(where)).status_code == 200

    def _changed(self, text: str) -> str:
        lines = text.split("\n")
        at = self._chance.randrange(len(lines))
        junk, line = self._chance.choice(_JUNK), lines[at]
        match self._chance.randrange(7):
            case 0:
                lines[at] = line[: line.find(":") + 1] + " " + junk
            case 1:
                spot = self._chance.randrange(len(line) + 1)
                lines[at] = line[:spot] + junk + line[spot:]
            case 2:
                del lines[at : at + self._chance.choice((1, 1, 3, 20))]
            case 3:
                lines.insert(self._chance.randrange(len(lines)), line)
            case 4:
                lines[at] = self._chance.choice((" ", "  ", "\t")) + line
            case 5:
                lines[at] = line.lstrip()
            case _:
                lines = lines[:at]
        return "\n".join(lines)

    def _bytes(self, typed: str) -> bytes:
        """Return what a browser's text is stored as: with the line ends of the text that stands."""
        before = self._texts[self._current]
        text = typed.replace("\r\n", "\n").replace("\r", "\n")
        is_windows = b"\r\n" in before and before.count(b"\n") == before.count(b"\r\n")
        return (text.replace("\n", "\r\n") if is_windows else text).encode("utf-8", "replace")

    def _post(self, client: Client, name: str, sent: dict[str, object]) -> HttpResponse:
        return self._told(client.post(reverse(name, args=[self._draft]), sent))

    def _told(self, answer: object) -> HttpResponse:
        assert isinstance(answer, HttpResponse)
        self.seen[str(answer.status_code)] += 1
        assert answer.status_code < 500, (answer.status_code, self._text[:2000])
        return answer

    def _stands(self, source: bytes) -> None:
        """Hold the text that stands against what was sent, and take it into the model."""
        draft = Draft.objects.get(pk=self._draft)
        stored = bytes(DraftText.objects.get(draft=draft, number=draft.current).source)
        assert stored == source
        self._texts[draft.current] = source
        self._current = draft.current

    def _reread(self) -> None:
        """Take into the model what a form has made of the text; earlier texts stay."""
        draft = Draft.objects.get(pk=self._draft)
        if draft.current not in self._texts:
            made = DraftText.objects.get(draft=draft, number=draft.current)
            self._texts[draft.current] = bytes(made.source)
        self._current = draft.current

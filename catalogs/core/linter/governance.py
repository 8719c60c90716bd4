"""Rules about who answers for a catalog: owner, approvals, change log, sources, tests."""

from __future__ import annotations

from collections.abc import Iterator

from catalogs.core.document import AskMatcher, Document, TextMatcher
from catalogs.core.findings import Finding, error, warning
from catalogs.core.linter.matchers import all_matchers
from catalogs.core.linter.raw import raw_rows


def owner_without_contact(document: Document) -> Iterator[Finding]:
    """E601: nobody to ask."""
    owner = document.data.get("owner")
    if not isinstance(owner, dict) or not owner.get("name") or not owner.get("contact"):
        said = "the owner needs a name and a contact"
        yield error("E601", "owner", said, document.line("owner"))


def not_approved(document: Document) -> Iterator[Finding]:
    """E602: published without an approver who is no author."""
    log = raw_rows(document, "changelog")
    author = log[0].get("by") if log else None
    others = {row.get("name") for row in raw_rows(document, "approvers")} - {author, None}
    if document.status == "published" and not others:
        said = "published without an approver who is no author; have a second person approve"
        yield error("E602", "approvers", said, document.line("approvers"))


def stale_approval(document: Document) -> Iterator[Finding]:
    """E603: an approval of other content."""
    for index, row in enumerate(raw_rows(document, "approvers")):
        if row.get("digest") != document.digest:
            where = f"approvers[{index}]"
            said = f"{row.get('name', 'somebody')} approved other content; ask for approval again"
            yield error("E603", where, said, document.line(where))


def changelog_behind(document: Document) -> Iterator[Finding]:
    """E604: the newest entry is not this version."""
    log = raw_rows(document, "changelog")
    newest = log[0].get("version") if log else "nothing"
    if newest != document.version:
        said = f"the change log starts with {newest}, this is {document.version}; add an entry"
        yield error("E604", "changelog", said, document.line("changelog"))


def incomplete_waiver(document: Document) -> Iterator[Finding]:
    """E606: a waiver without reason, person or last day."""
    for index, row in enumerate(raw_rows(document, "waivers")):
        if not row.get("reason") or not row.get("by") or not row.get("until"):
            where = f"waivers[{index}]"
            said = f"the waiver of {row.get('rule')} needs reason, by and until"
            yield error("E606", where, said, document.line(where))


def source_never_cited(document: Document) -> Iterator[Finding]:
    """W612: a declared source that nothing cites."""
    cited = {name for phase in document.phases for name in phase.basis}
    cited |= {name for phase in document.phases for edge in phase.critical for name in edge.sources}
    for name in document.sources:
        if name not in cited:
            where = f"sources.{name}"
            said = "nothing cites this source; cite it under basis or sources, or drop it"
            yield warning("W612", where, said, document.line(where))


def phase_without_basis(document: Document) -> Iterator[Finding]:
    """W613: nothing says why a phase is an obligation."""
    for phase in document.phases:
        if not phase.basis:
            said = "no basis; name the source that makes this an obligation"
            yield warning("W613", phase.id, said, document.line(phase.id))


def no_tests(document: Document) -> Iterator[Finding]:
    """E701: no call tests this catalog."""
    if not raw_rows(document, "tests"):
        said = "no test; add a call with the rows you expect"
        yield error("E701", "tests", said, document.line("tests"))


def languages_unnamed(document: Document) -> Iterator[Finding]:
    """W801: several languages, and no matcher says which one it is for."""
    spoken = [
        matcher.lang
        for matcher in all_matchers(document)
        if isinstance(matcher, TextMatcher | AskMatcher)
    ]
    if len(document.languages) > 1 and not any(spoken):
        said = "several languages, but no matcher says which one it is for; add lang"
        yield warning("W801", "languages", said, document.line("languages"))

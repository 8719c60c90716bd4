"""The signing page of a call: what is signed, the ways to sign it, and its signatures."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import Site, User
from review.actions.opening import UnableToOpen, open_for_mapping
from review.actions.proving import own_assertion
from review.actions.queueing import claim_next
from review.actions.refused_signing import StaleSigning, UnableToSign
from review.actions.reopening import (
    UnableToReopen,
    ask_to_reopen,
    decline_reopening,
    reopen_call,
)
from review.actions.signing import Asked, Begun, Signed, begin_signing, sign_attested, sign_call
from review.actions.signing_state import LockedReview, read_to_sign
from review.core.lifecycle import CallState
from review.core.masking import Masker
from review.core.signoff.passkey import Assertion
from review.forms.shown import NotShown, read_shown, seal_shown
from review.forms.signing import (
    AnswerForm,
    AttestedForm,
    Over,
    PasskeyAnswer,
    PasskeyForm,
    ReopeningForm,
    SigningForm,
)
from review.permissions import (
    NotAllowed,
    SigningRights,
    check_can_ask_to_reopen,
    check_can_reopen,
    check_can_sign,
    signing_rights_at,
)
from review.presenters.ceremony import Ceremony, show_ceremony
from review.presenters.places import address_of
from review.presenters.signatures import show_signatures
from review.presenters.signing import ToSign, mask_to_sign, show_to_sign
from review.presenters.standing import state_words
from review.queries import StoredCall, get_call_for
from review.queries.masking import masker_of_stored
from review.queries.passkeys import Passkey, has_app, passkeys_of
from review.queries.queue_list import QueueNarrowing
from review.queries.readings import blind_call_for
from review.queries.reveals import last_reveal
from review.queries.signing import notes_on_reopening, signs_on

_INCOMPLETE = "The form came incomplete, so nothing is signed. Load the page and begin again."


@dataclass
class _Page:
    """One call as this request signs it; forms that came in, and why they were refused."""

    stored: StoredCall
    person: User
    rights: SigningRights
    session: str
    passkey: PasskeyForm | None = None
    attested: AttestedForm | None = None
    reopening: ReopeningForm = field(default_factory=ReopeningForm)
    begun: Begun | None = None
    refusal: str = ""
    changes: tuple[str, ...] = ()
    then_next: bool = False

    @property
    def call_id(self) -> UUID:
        """The call's id."""
        return self.stored.line.id


@require_GET
def sign(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Show what is signed, the ways to sign it, and every signature of the call."""
    return _render(request, _find(request, call_id))


@sensitive_post_parameters()
@require_POST
def sign_begin(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Fix the record to be signed; the page that comes asks the passkey for it."""
    page = _find_to_sign(request, call_id)
    form = page.passkey = _passkey_form(request, page)
    if not form.is_valid():
        return _refused(request, page, form)
    page.then_next = form.cleaned_data["then_next"]
    return _try(request, page, form, lambda: _begin(page, form))


@sensitive_post_parameters()
@require_POST
def sign_complete(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Sign with what the passkey answered."""
    page = _find_to_sign(request, call_id)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        page.refusal = _INCOMPLETE
        return _render(request, page, status=422)
    page.then_next = form.cleaned_data["then_next"]
    answer: PasskeyAnswer = form.cleaned_data["credential"]
    return _try(
        request,
        page,
        None,
        lambda: sign_call(
            call_id=call_id,
            intent_id=form.intent_id(),
            assertion=_assertion(request, page.person, answer),
            session=page.session,
            by=page.person,
            at=timezone.now(),
        ),
    )


@sensitive_post_parameters()
@require_POST
def sign_by_code(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Sign with password and one-time code."""
    page = _find_to_sign(request, call_id)
    form = page.attested = AttestedForm(request.POST)
    if not form.is_valid():
        return _refused(request, page, form)
    given = form.cleaned_data
    page.then_next = given["then_next"]
    return _try(
        request,
        page,
        form,
        lambda: sign_attested(
            call_id=call_id,
            asked=_asked(page, form, given["form_key"]),
            password=given["password"],
            code=given["code"],
            by=page.person,
            at=timezone.now(),
        ),
    )


@require_POST
def ask_reopening(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Ask to have a signed call reopened."""
    page = _find(request, call_id)
    _check(lambda: check_can_ask_to_reopen(page.person, _site(page)))
    said = "A senior reviewer is asked to reopen the call; the signature stands."
    return _reopening(request, page, ask_to_reopen, said)


@require_POST
def decide_reopening(request: HttpRequest, call_id: UUID) -> HttpResponse:
    """Reopen a signed call that somebody else asked for, or leave it signed."""
    page = _find(request, call_id)
    _check(lambda: check_can_reopen(page.person, _site(page)))
    if request.POST.get("answer") == "decline":
        return _reopening(request, page, decline_reopening, "The call stays signed.")
    said = "The call is reopened: a new review begins, and the old signature stands until a change."
    return _reopening(request, page, reopen_call, said)


def _find(request: HttpRequest, call_id: UUID) -> _Page:
    person = request.user
    stored = get_call_for(person, call_id)
    if stored is None or not isinstance(person, User):
        raise Http404
    session = hashlib.sha256((request.session.session_key or "").encode()).hexdigest()
    return _Page(stored, person, signing_rights_at(person, Site(pk=stored.site_id)), session)


def _find_to_sign(request: HttpRequest, call_id: UUID) -> _Page:
    page = _find(request, call_id)
    if not page.rights.sign:
        _check(lambda: check_can_sign(page.person, _site(page)))
    return page


def _site(page: _Page) -> Site:
    return Site(pk=page.stored.site_id)


def _check(check: Callable[[], object]) -> None:
    try:
        check()
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal


def _passkey_form(request: HttpRequest, page: _Page) -> PasskeyForm:
    first = not signs_on(page.person, page.session, timezone.now())
    return PasskeyForm(request.POST, keys=_choices(passkeys_of(page.person)), first=first)


def _choices(keys: tuple[Passkey, ...]) -> list[tuple[int, str]]:
    return [(key.id, key.name) for key in keys]


def _asked(page: _Page, form: SigningForm, intent_id: UUID) -> Asked:
    given = form.cleaned_data
    try:
        shown_at = read_shown(given["shown"], given["screen"], page.person.pk)
    except NotShown as refusal:
        raise UnableToSign(_INCOMPLETE) from refusal
    return Asked(
        form.meant(), given["screen"], given["decisions"], page.session, intent_id, shown_at
    )


def _begin(page: _Page, form: PasskeyForm) -> Begun:
    return begin_signing(
        call_id=page.call_id,
        asked=_asked(page, form, uuid4()),
        passkey_id=form.cleaned_data["passkey"],
        password=form.cleaned_data.get("password", ""),
        by=page.person,
        at=timezone.now(),
    )


def _assertion(request: HttpRequest, person: User, answer: PasskeyAnswer) -> Assertion:
    page = f"{request.scheme}://{request.get_host()}"
    return own_assertion(answer, signer=person, page=page)


def _try(
    request: HttpRequest,
    page: _Page,
    form: SigningForm | None,
    act: Callable[[], Begun | Signed],
) -> HttpResponse:
    """Do what signs or begins to, and lead to where it ends."""
    try:
        done = act()
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToSign as refusal:
        if form is None:
            page.refusal = str(refusal)
        else:
            form.refuse(refusal.field, str(refusal))
        return _render(request, page, status=422)
    except StaleSigning as stale:
        # The forms are made anew over the call as it is now.
        fresh = _find(request, page.call_id)
        fresh.refusal, fresh.changes = str(stale), stale.changes
        return _render(request, fresh, status=409)
    if isinstance(done, Begun):
        page.begun = done
        return _render(request, page)
    words = f"The call {page.stored.line.external_id} is signed. Digest of your signature: "
    messages.success(request, f"{words}{done.digest}.")
    own = reverse("review:call", args=[page.call_id])
    return redirect(_next_address(request, page) if page.then_next else own)


def _next_address(request: HttpRequest, page: _Page) -> str:
    """Claim the best free call of the queue and return its page; that of the queue without one."""
    at = timezone.now()
    claimed = claim_next(narrowing=QueueNarrowing(), key=uuid4(), by=page.person, at=at)
    if claimed is None:
        messages.info(request, "No other call waits for you now.")
        return reverse("review:queue")
    blind = blind_call_for(page.person, claimed.call_id) is not None
    return address_of(claimed, blind=blind)


def _refused(request: HttpRequest, page: _Page, form: SigningForm) -> HttpResponse:
    if any(name in form.errors for name in ("screen", "decisions", "form_key", "shown")):
        page.refusal = _INCOMPLETE
    return _render(request, page, status=422)


def _reopening(
    request: HttpRequest, page: _Page, act: Callable[..., None], said: str
) -> HttpResponse:
    form = page.reopening = ReopeningForm(request.POST)
    reason = request.POST.get("reason", "")
    try:
        act(call_id=page.call_id, reason=reason, by=page.person, at=timezone.now())
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except UnableToReopen as refusal:
        form.is_valid()
        form.add_error(refusal.field or None, str(refusal))
        return _render(request, page, status=422)
    messages.success(request, said)
    return redirect("review:sign", page.call_id)


def _render(request: HttpRequest, page: _Page, *, status: int = 200) -> HttpResponse:
    review = read_to_sign(page.call_id)
    masker = None if review is None else masker_of_stored(review.stored)
    senior = page.rights.settle
    to_sign = None if review is None else _show(review, page, masker, senior=senior)
    signs = page.rights.sign and to_sign is not None and not to_sign.obstacles
    if signs and to_sign is not None and page.begun is None:
        _lay_out(page, to_sign)
    line = page.stored.line
    context = {
        "section": "calls",
        "call_id": page.call_id,
        "line": line,
        "state": state_words(line.state),
        "sentence": line.state_sentence,
        "page": page,
        "to_sign": to_sign,
        "signs": signs,
        "name": page.person.printed_name,
        "role": "senior reviewer" if senior else "reviewer",
        "ceremony": _ceremony(request, page),
        "signatures": show_signatures(page.stored.signatures),
        "masking_words": _masking_words(page) if masker else "",
        **_reopening_context(request, page),
    }
    return render(request, "review/sign.html", context, status=status)


def _show(review: LockedReview, page: _Page, masker: Masker | None, *, senior: bool) -> ToSign:
    obstacles = review.obstacles(page.person, senior=senior, at=timezone.now())
    shown = show_to_sign(
        review.content, review.report, review.review, review.folded.document, obstacles
    )
    return shown if masker is None else mask_to_sign(shown, masker)


def _masking_words(page: _Page) -> str:
    """Say how the person has read a call whose site masks identifiers."""
    at = last_reveal(page.call_id, page.person)
    if at is None:
        return "This site masks identifiers, and you have not had those of this call shown."
    return (
        "This site masks identifiers. You had those of this call shown on "
        f"{at:%Y-%m-%d} at {at:%H:%M} UTC."
    )


def _lay_out(page: _Page, to_sign: ToSign) -> None:
    """Make the forms that did not come in, for what the person has set up."""
    at = timezone.now()
    shown = seal_shown(to_sign.digest, page.person.pk, at)
    from_queue = page.stored.hold.is_of(page.person, at)
    over = Over(to_sign.digest, to_sign.decisions, shown, from_queue)
    keys = passkeys_of(page.person)
    if page.passkey is None and keys:
        first = not signs_on(page.person, page.session, at)
        page.passkey = PasskeyForm(keys=_choices(keys), first=first, over=over)
    if page.attested is None and has_app(page.person):
        page.attested = AttestedForm(over=over)


def _ceremony(request: HttpRequest, page: _Page) -> Ceremony | None:
    """Return what the browser hands to the passkey."""
    begun = page.begun
    if begun is None:
        return None
    return show_ceremony(
        begun.intent_id, begun.digest, begun.key, begun.expires_at, request.get_host()
    )


def _reopening_context(request: HttpRequest, page: _Page) -> dict[str, Any]:
    """Return who has asked to reopen the call, and the reasons, once the log has who reads them."""
    signed = page.stored.line.state == CallState.SIGNED.value
    notes = notes_on_reopening(page.call_id) if signed else None
    if notes is None or not notes.any:
        return {"asked": None, "reasons": (), "is_signed": signed}
    try:
        _, reasons = open_for_mapping(call_id=page.call_id, by=page.person, at=timezone.now())
    except UnableToOpen as refusal:
        raise Http404 from refusal
    return {
        "asked": notes.open,
        "asked_by_self": notes.open is not None and notes.open == page.person.pk,
        "reasons": [one for one in reasons if one.kind in notes.kinds],
        "is_signed": signed,
    }

"""The page on which several calls are signed in one act."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from oipsce_site.people.models import User
from review.actions.batch_signing import (
    AskedBatch,
    BegunBatch,
    LeftOut,
    Shown,
    SignedBatch,
    begin_signing_batch,
    sign_batch,
    sign_batch_attested,
)
from review.actions.proving import own_assertion
from review.actions.refused_signing import StaleSigning, UnableToSign
from review.actions.signing_state import LockedReview, read_ready
from review.core.signoff.batching import MOST_CALLS
from review.core.signoff.passkey import Assertion
from review.core.signoff.record import STATEMENT
from review.forms.batch_signing import BatchForm, Ways, offer
from review.forms.shown import NotShown, read_shown, seal_shown
from review.forms.signing import AnswerForm, PasskeyAnswer
from review.permissions import deciding_at
from review.presenters.ceremony import show_ceremony
from review.presenters.signing import ToSign, show_to_sign
from review.queries.passkeys import has_app, passkeys_of
from review.queries.signing import signs_on

_INCOMPLETE = "The form came incomplete, so nothing is signed. Load the page and begin again."


@dataclass(frozen=True, slots=True)
class _Offered:
    """A call that may be signed with others; `value` is what its box says."""

    call_id: UUID
    title: str
    external_id: str
    value: str
    ticked: bool
    to_sign: ToSign


@dataclass
class _Page:
    """What this request signs, and why it was refused."""

    person: User
    session: str
    senior: bool
    form: BatchForm | None = None
    ticked: frozenset[str] | None = None
    begun: BegunBatch | None = None
    refusal: str = ""
    changes: tuple[str, ...] = ()


@require_GET
def sign_several(request: HttpRequest) -> HttpResponse:
    """Show the calls that can be signed in one act, each with what is signed of it."""
    return _render(request, _find(request))


@sensitive_post_parameters()
@require_POST
def sign_several_begin(request: HttpRequest) -> HttpResponse:
    """Fix the records of the chosen calls; the page that comes asks the passkey for them."""
    page = _find(request)
    form = _read(request, page, by_code=False)
    if not form.is_valid():
        return _render(request, page, status=422)
    given = form.cleaned_data
    return _try(
        request,
        page,
        lambda: begin_signing_batch(
            asked=_asked(page, form),
            passkey_id=given.get("passkey") or None,
            password=given.get("password", ""),
            by=page.person,
            at=timezone.now(),
        ),
    )


@sensitive_post_parameters()
@require_POST
def sign_several_complete(request: HttpRequest) -> HttpResponse:
    """Sign with what the passkey answered."""
    page = _find(request)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        page.refusal = _INCOMPLETE
        return _render(request, page, status=422)
    answer: PasskeyAnswer = form.cleaned_data["credential"]
    return _try(
        request,
        page,
        lambda: sign_batch(
            batch_id=form.intent_id(),
            assertion=_assertion(request, page.person, answer),
            session=page.session,
            by=page.person,
            at=timezone.now(),
        ),
    )


@sensitive_post_parameters()
@require_POST
def sign_several_by_code(request: HttpRequest) -> HttpResponse:
    """Sign with password and one-time code."""
    page = _find(request)
    form = _read(request, page, by_code=True)
    if not form.is_valid():
        return _render(request, page, status=422)
    given = form.cleaned_data
    return _try(
        request,
        page,
        lambda: sign_batch_attested(
            asked=_asked(page, form),
            password=given["password"],
            code=given.get("code", ""),
            by=page.person,
            at=timezone.now(),
        ),
    )


def _find(request: HttpRequest) -> _Page:
    person = request.user
    deciding = deciding_at(person)
    if not isinstance(person, User) or not deciding.sites:
        raise PermissionDenied("Only reviewers and senior reviewers sign calls.")
    session = hashlib.sha256((request.session.session_key or "").encode()).hexdigest()
    return _Page(person, session, bool(deciding.senior))


def _read(request: HttpRequest, page: _Page, *, by_code: bool) -> BatchForm:
    offers = request.POST.getlist("call")
    page.ticked = frozenset(offers)
    page.form = BatchForm(
        request.POST,
        ways=_ways(page),
        offers=offers,
        by_code=by_code,
    )
    return page.form


def _ways(page: _Page) -> Ways:
    keys = [(key.id, key.name) for key in passkeys_of(page.person)]
    first = not signs_on(page.person, page.session, timezone.now())
    return Ways(keys, has_app(page.person), first)


def _asked(page: _Page, form: BatchForm) -> AskedBatch:
    given = form.cleaned_data
    batch_id: UUID = given["form_key"]
    try:
        shown_at = read_shown(given["shown"], str(batch_id), page.person.pk)
    except NotShown as refusal:
        raise UnableToSign(_INCOMPLETE) from refusal
    calls = tuple(Shown(one.call_id, one.screen, one.decisions) for one in given["calls"])
    return AskedBatch(form.meant(), calls, page.session, batch_id, shown_at)


def _assertion(request: HttpRequest, person: User, answer: PasskeyAnswer) -> Assertion:
    page = f"{request.scheme}://{request.get_host()}"
    return own_assertion(answer, signer=person, page=page)


def _try(
    request: HttpRequest, page: _Page, act: Callable[[], BegunBatch | SignedBatch]
) -> HttpResponse:
    """Do what signs or begins to, and lead to where it ends."""
    try:
        done = act()
    except UnableToSign as refusal:
        if page.form is None:
            page.refusal = str(refusal)
        else:
            page.form.refuse(refusal.field, str(refusal))
        return _render(request, page, status=422)
    except StaleSigning as stale:
        # The form is made anew over the calls as they are now.
        fresh = _find(request)
        fresh.refusal, fresh.changes = str(stale), stale.changes
        return _render(request, fresh, status=409)
    if isinstance(done, BegunBatch):
        page.begun = done
        return _render(request, page)
    return _tell(request, done)


def _tell(request: HttpRequest, done: SignedBatch) -> HttpResponse:
    number = len(done.signed)
    if number:
        words = "1 call is" if number == 1 else f"{number} calls are"
        messages.success(request, f"{words} signed, each with a record of its own.")
    for one in done.left_out:
        messages.warning(request, f"One call was left out. {one.sentence}")
    return redirect("review:sign_several")


def _render(request: HttpRequest, page: _Page, *, status: int = 200) -> HttpResponse:
    every = _offers(page)
    begun = page.begun
    offered = every if begun is None else [one for one in every if one.call_id in begun.calls]
    if begun is None and page.form is None and offered:
        form_key = uuid4()
        page.form = BatchForm(
            ways=_ways(page),
            form_key=form_key,
            seal=seal_shown(str(form_key), page.person.pk, timezone.now()),
        )
    ceremony = None
    if begun is not None:
        ceremony = show_ceremony(
            begun.batch_id, begun.digest, begun.key, begun.expires_at, request.get_host()
        )
    context = {
        "section": "queue",
        "page": page,
        "offered": offered,
        "left_out": _named(begun.left_out, every) if begun is not None else (),
        "ceremony": ceremony,
        "statement": STATEMENT,
        "most": MOST_CALLS,
        "name": page.person.printed_name,
        "role": "senior reviewer" if page.senior else "reviewer",
        "keys": bool(passkeys_of(page.person)),
        "app": has_app(page.person),
    }
    return render(request, "review/sign_several.html", context, status=status)


def _offers(page: _Page) -> list[_Offered]:
    """Return the calls that can be signed together now."""
    reviews = read_ready(page.person, senior=page.senior, at=timezone.now(), most=MOST_CALLS)
    return [_offer(one, page.ticked) for one in reviews]


def _offer(review: LockedReview, ticked: frozenset[str] | None) -> _Offered:
    shown = show_to_sign(review.content, review.report, review.review, review.folded.document, ())
    value = offer(review.stored.pk, shown.digest, shown.decisions)
    return _Offered(
        call_id=review.stored.pk,
        title=review.stored.title,
        external_id=review.stored.external_id,
        value=value,
        ticked=ticked is None or value in ticked,
        to_sign=shown,
    )


def _named(left_out: tuple[LeftOut, ...], offered: list[_Offered]) -> list[str]:
    names = {one.call_id: one.external_id for one in offered}
    return [f"{names.get(one.call_id, 'One call')}: {one.sentence}" for one in left_out]

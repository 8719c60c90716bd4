"""The verifier as a page, the verifier as a file, and the pack that an auditor is given."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from oipsce_site.signing.core.refusals import Refused
from oipsce_site.signing.store import SigningKeyError
from review.actions.auditor_pack import load_pack
from review.actions.standalone import program
from review.core.verify.bundle import Asked, verify_audit
from review.forms.verification import VerificationForm
from review.permissions import exports_seen
from review.presenters.verification import Result, show_refusal, show_verified

_MOST_NOTE = 1_000_000


@require_http_methods(["GET", "HEAD", "POST"])
def verify(request: HttpRequest) -> HttpResponse:
    """Take an audit, verify it in memory, and show what came out; nothing of it is kept."""
    if request.method != "POST":
        return _page(request, VerificationForm())
    form = VerificationForm(request.POST, request.FILES)
    if not form.is_valid():
        _say_if_too_large(request, form)
        return _page(request, form, status=422)
    given = form.cleaned_data
    held = given["checkpoint"]
    asked = Asked(
        root_id=given["root"],
        now=timezone.now(),
        held=None if held is None else held.read(_MOST_NOTE),
    )
    try:
        result = show_verified(verify_audit(given["audit"].file, asked))
    except Refused as refusal:
        result = show_refusal(refusal)
    return _page(request, form, result=result)


@require_GET
def verifier(request: HttpRequest) -> HttpResponse:
    """Send the verifier as one file."""
    answer = HttpResponse(program("verifier"), content_type="text/x-python")
    answer["Content-Disposition"] = 'attachment; filename="oip_verify.py"'
    return answer


@require_GET
def auditor_pack(request: HttpRequest) -> HttpResponse:
    """Send the pack: public keys, fingerprint, verifier and witness."""
    sites = exports_seen(request.user)
    if not sites:
        raise Http404
    try:
        data = load_pack(sites)
    except SigningKeyError as refusal:
        return _page(request, VerificationForm(), trouble=str(refusal), status=409)
    answer = HttpResponse(data, content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="auditor-pack.zip"'
    return answer


def _say_if_too_large(request: HttpRequest, form: VerificationForm) -> None:
    """Say why no file came, where it was beyond what is kept in memory and was dropped."""
    most = settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    if int(request.META.get("CONTENT_LENGTH") or 0) > most:
        form.errors.pop("audit", None)
        form.add_error(
            "audit",
            f"The file has over {most // 2**20} MB and was not taken. Verify it with "
            "oip_verify.py, which reads audits of any size.",
        )


def _page(
    request: HttpRequest,
    form: VerificationForm,
    *,
    result: Result | None = None,
    trouble: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "result": result,
        "trouble": trouble,
        "gets_pack": bool(exports_seen(request.user)),
        "section": "audits",
    }
    return render(request, "review/verify_audit.html", context, status=status)

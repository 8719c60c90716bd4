"""The icon that browsers ask for on their own, where no page names one."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe


@login_not_required
@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead to the mark; not for ever, its address changes with its content."""
    return redirect(static("img/mark.svg"))

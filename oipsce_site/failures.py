"""The page of an error nobody expected: it names the request, so that its lines are found."""

from django.http import HttpRequest, HttpResponseServerError
from django.template import loader

from oipsce_site import logs


def server_error(request: HttpRequest) -> HttpResponseServerError:
    """Answer 500 without asking the database or the session: either may be what is broken."""
    page = loader.get_template("500.html").render({"request_id": logs.request_id.get()})
    return HttpResponseServerError(page)

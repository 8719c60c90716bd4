"""Hand in a batch through the page, and be killed between its commit and the answer.

python -m tests.faults.killed_site CALLS
"""

from __future__ import annotations

import json
import os
import signal
import sys

import django

django.setup()

from django.core.files.uploadedfile import SimpleUploadedFile  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from oipsce_site.people.roles import Role  # noqa: E402
from review.views import imports  # noqa: E402
from tests.factories import catalog_source, make_person, make_site, publish, raw_micro  # noqa: E402


def main(calls: int) -> None:
    """Hand the batch in from a process that dies; this one lives to tell."""
    publish(catalog_source("micro"))
    site = make_site()
    person = make_person(Role.COMPLIANCE_OFFICER, site=site)
    raw = [raw_micro(id=f"c{number}") for number in range(calls)]
    data = json.dumps({"format": "oip-calls/1", "calls": raw}).encode()
    child = os.fork()
    if not child:
        django.db.connections.close_all()
        vars(imports)["ring_for_imports"] = _die
        client = Client()
        client.force_login(person)
        fields = {"site": str(site.pk), "uploads": SimpleUploadedFile("calls.json", data)}
        client.post(reverse("review:imports"), fields)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    if os.WTERMSIG(status) != signal.SIGKILL:
        raise SystemExit("the site was not killed")


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]))

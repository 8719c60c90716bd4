"""Ask for the list of calls and hand in a file, as a person, and print both statuses."""

from __future__ import annotations

import sys

import django

django.setup()

from django.core.files.uploadedfile import SimpleUploadedFile  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from oipsce_site.people.models import Site, User  # noqa: E402

if __name__ == "__main__":
    client = Client()
    client.force_login(User.objects.get(memberships__role="compliance_officer"))
    listed = client.get(reverse("review:calls"))
    fields = {"site": str(Site.objects.get().pk), "uploads": SimpleUploadedFile("e.json", b"")}
    refused = client.post(reverse("review:imports"), fields)
    sys.stdout.write(f"{listed.status_code} {refused.status_code}\n")

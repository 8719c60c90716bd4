"""The roles of the product and their reach (design 4.7).

A role held at a site reaches that site only. The three organisation-wide roles are held without a
site and reach all of them: catalogs and accounts belong to the one organisation, not to a site.
No organisation-wide role may read a call; so no person reaches every site's calls by one grant.
"""

from __future__ import annotations

from typing import Final

from django.db import models


class Role(models.TextChoices):
    """What a person may be; what each role may do is the permission matrix, which is not here."""

    REVIEWER = "reviewer", "reviewer"
    SENIOR_REVIEWER = "senior_reviewer", "senior reviewer"
    COMPLIANCE_OFFICER = "compliance_officer", "compliance officer"
    CATALOG_AUTHOR = "catalog_author", "catalog author"
    CATALOG_APPROVER = "catalog_approver", "catalog approver"
    AUDITOR = "auditor", "auditor"
    ADMINISTRATOR = "administrator", "administrator"


ORGANISATION_ROLES: Final = (Role.CATALOG_AUTHOR, Role.CATALOG_APPROVER, Role.ADMINISTRATOR)
SITE_ROLES: Final = tuple(role for role in Role if role not in ORGANISATION_ROLES)

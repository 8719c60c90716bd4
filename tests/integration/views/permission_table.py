"""Who gets what from which page: written from the design's roles, not from the product's code.

Columns: the name of the address, and per role at the call's own site the status. People of another
site and people without a role get 404 for what belongs to a site: not theirs is not there.
"""

from __future__ import annotations

OWN_SITE = {
    # address          reviewer senior compliance auditor author approver administrator
    "review:calls": (200, 200, 200, 200, 200, 200, 200),
    "review:call": (200, 200, 200, 200, 404, 404, 404),
}

OTHER_SITE = {
    "review:calls": (200, 200, 200, 200),
    "review:call": (404, 404, 404, 404),
}

ROLES = (
    "reviewer",
    "senior_reviewer",
    "compliance_officer",
    "auditor",
    "catalog_author",
    "catalog_approver",
    "administrator",
)

# Catalogs belong to the organisation: the site makes no difference, and a draft is read by those
# who write, comment, approve or audit it.
PUBLISHED_CATALOG = {
    # address             reviewer senior compliance auditor author approver administrator
    "catalogs:catalogs": (200, 200, 200, 200, 200, 200, 200),
    "catalogs:version": (200, 200, 200, 200, 200, 200, 200),
    "catalogs:document": (200, 200, 200, 200, 200, 200, 200),
}

DRAFT_CATALOG = {
    "catalogs:version": (404, 200, 404, 200, 200, 200, 404),
    "catalogs:document": (404, 200, 404, 200, 200, 200, 404),
}

ROLELESS_CATALOG = {
    "catalogs:catalogs": 200,
    "catalogs:version": 404,
    "catalogs:document": 404,
}

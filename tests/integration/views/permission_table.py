"""Who gets what from which page: written from the design's roles, not from the product's code.

Columns: the name of the address, and per role at the call's own site the status. People of another
site and people without a role get 404 for what belongs to a site: not theirs is not there.
"""

from __future__ import annotations

OWN_SITE = {
    # address          reviewer senior compliance auditor author approver administrator
    "review:calls": (200, 200, 200, 200, 200, 200, 200),
    "review:call": (200, 200, 200, 200, 404, 404, 404),
    "review:mapping": (403, 200, 200, 403, 404, 404, 404),
    "review:role_maps": (403, 200, 200, 403, 403, 403, 403),
}

# Addresses that only take what a form sends. What is sent here asks for nothing that makes sense:
# who may ask is told what is wrong (409, 422), or is led on (302).
OWN_SITE_FORMS = {
    # address                  reviewer senior compliance auditor author approver administrator
    "review:mapping_swap": (403, 422, 422, 403, 404, 404, 404),
    "review:mapping_withdraw": (403, 409, 409, 403, 404, 404, 404),
    "review:mapping_send_back": (403, 422, 422, 403, 404, 404, 404),
    "review:read_again": (403, 302, 302, 403, 404, 404, 404),
    "review:role_map_forget": (403, 302, 302, 403, 403, 403, 403),
}

OTHER_SITE = {
    "review:calls": (200, 200, 200, 200),
    "review:call": (404, 404, 404, 404),
    "review:mapping": (404, 404, 404, 404),
    "review:role_maps": (403, 200, 200, 403),
}

OTHER_SITE_FORMS = {
    "review:mapping_swap": (404, 404, 404, 404),
    "review:mapping_withdraw": (404, 404, 404, 404),
    "review:mapping_send_back": (404, 404, 404, 404),
    "review:read_again": (404, 404, 404, 404),
    "review:role_map_forget": (403, 404, 404, 403),
}

# Pages whose own address takes a form as well.
TAKES_FORMS = {"review:mapping"}

ROLES = (
    "reviewer",
    "senior_reviewer",
    "compliance_officer",
    "auditor",
    "catalog_author",
    "catalog_approver",
    "administrator",
)

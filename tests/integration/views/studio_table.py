"""The table of permissions, its part of the catalog studio: read as `permission_table`."""

# The studio: drafts belong to the organisation and are read by those who write, comment, approve or
# audit them; authors write (audit_security 2d). To all others they are not there.
STUDIO = {
    # address                       reviewer senior compliance auditor author approver administrator
    "catalogs:compare": (200, 200, 200, 200, 200, 200, 200),
    "catalogs:drafts": (404, 200, 404, 200, 200, 200, 404),
    "catalogs:draft": (404, 200, 404, 200, 200, 200, 404),
    "catalogs:draft-changes": (404, 200, 404, 200, 200, 200, 404),
    "catalogs:draft-document": (404, 200, 404, 200, 200, 200, 404),
    "catalogs:draft-form": (404, 200, 404, 200, 200, 200, 404),
    "catalogs:draft-text": (404, 200, 404, 200, 200, 200, 404),
    "catalogs:draft-text-document": (404, 200, 404, 200, 200, 200, 404),
    "catalogs:draft-texts": (404, 200, 404, 200, 200, 200, 404),
    "catalogs:review": (404, 200, 404, 200, 200, 200, 404),
    "review:draft_hit_calls": (404, 403, 404, 403, 200, 403, 404),
    "review:draft_hits": (404, 200, 404, 200, 200, 200, 404),
    "review:draft_rehearsal": (404, 200, 404, 200, 200, 200, 404),
    "review:draft_rehearsal_progress": (404, 200, 404, 200, 200, 200, 404),
    "review:trial": (404, 200, 404, 200, 200, 200, 404),
    "review:what_ifs_of_draft": (404, 200, 404, 200, 200, 200, 404),
    "review:what_ifs_of_version": (404, 200, 404, 200, 200, 200, 404),
}

# What is sent here asks for nothing that makes sense: an author is told so, or led on.
STUDIO_FORMS = {
    "catalogs:draft-checked": (404, 403, 404, 403, 409, 403, 404),
    "catalogs:draft-file": (404, 403, 404, 403, 422, 403, 404),
    "catalogs:draft-hand-in": (404, 403, 404, 403, 409, 403, 404),
    "catalogs:draft-text-back": (404, 403, 404, 403, 302, 403, 404),
    "review:draft_call_test": (404, 403, 404, 403, 422, 403, 404),
    "review:draft_examples": (404, 403, 404, 403, 200, 403, 404),
    "review:draft_rehearsal_begin": (404, 403, 404, 403, 302, 403, 404),
    "review:draft_test": (404, 403, 404, 403, 422, 403, 404),
}

#: Pages of the studio that also take a form; anybody who reads the review is told what is missing.
STUDIO_TAKES_FORMS = {
    "catalogs:drafts": (404, 403, 404, 403, 302, 403, 404),
    "catalogs:draft": (404, 403, 404, 403, 409, 403, 404),
    "catalogs:draft-form": (404, 403, 404, 403, 404, 403, 404),
    "catalogs:review": (404, 422, 404, 422, 422, 422, 404),
    "review:draft_hits": (404, 403, 404, 403, 200, 403, 404),
    "review:trial": (404, 403, 404, 403, 403, 422, 404),
    "review:what_ifs_of_draft": (404, 422, 404, 403, 422, 422, 404),
    "review:what_ifs_of_version": (404, 422, 404, 403, 422, 422, 404),
}

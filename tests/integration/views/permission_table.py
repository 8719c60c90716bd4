"""Who gets what from which page: written from the design's roles, not from the product's code.

Columns: the name of the address, and per role at the call's own site the status. People of another
site and people without a role get 404 for what belongs to a site: not theirs is not there.
"""

from __future__ import annotations

OWN_SITE = {
    # address          reviewer senior compliance auditor author approver administrator
    "review:calls": (200, 200, 200, 200, 200, 200, 200),
    "review:call": (200, 200, 200, 200, 404, 404, 404),
    # The forms of a row: for who may not decide there are none.
    "review:row_desk": (200, 200, 404, 404, 404, 404, 404),
    # Who reads a call sees its signatures; the forms are for who signs.
    "review:sign": (200, 200, 200, 200, 404, 404, 404),
    "review:keys": (200, 200, 200, 200, 200, 200, 200),
    "review:key_sheet": (200, 200, 200, 200, 200, 200, 200),
    "review:queue": (200, 200, 200, 200, 200, 200, 200),
    "review:hold": (200, 200, 200, 200, 404, 404, 404),
    "review:imports": (404, 200, 200, 404, 404, 404, 200),
    "review:import_batch": (404, 200, 200, 404, 404, 404, 200),
    "review:import_progress": (404, 200, 200, 404, 404, 404, 200),
    "review:import_outcomes": (404, 200, 200, 404, 404, 404, 403),
    # Compliance officers export, auditors fetch what was exported (audit_security 2d).
    "review:audits": (404, 404, 200, 200, 404, 404, 404),
    "review:audit": (404, 404, 200, 200, 404, 404, 404),
    "review:audit_progress": (404, 404, 200, 200, 404, 404, 404),
    # It waits: there is no file yet, for anybody.
    "review:audit_file": (404, 404, 404, 404, 404, 404, 404),
    "review:mapping": (403, 200, 200, 403, 404, 404, 404),
    "review:role_maps": (403, 200, 200, 403, 403, 403, 403),
    # Authors and senior reviewers hold rounds; who rates in none sees those of their site (4.6).
    "review:calibrations": (200, 200, 200, 200, 200, 200, 404),
    "review:calibration_open": (403, 200, 403, 403, 200, 403, 404),
    "review:calibration": (404, 200, 200, 200, 200, 200, 404),
    # It is being rated: nobody sees the differences yet.
    "review:differing": (404, 302, 302, 302, 302, 302, 404),
    # The desk is for the raters of the round.
    "review:rating": (404, 404, 404, 404, 404, 404, 404),
}

# Addresses that only take what a form sends. What is sent here asks for nothing that makes sense:
# who may ask is told what is wrong (409, 422), or is led on (302).
OWN_SITE_FORMS = {
    "review:pause_import": (404, 302, 302, 404, 404, 404, 403),
    "review:resume_import": (404, 302, 302, 404, 404, 404, 403),
    # address                  reviewer senior compliance auditor author approver administrator
    "review:mapping_swap": (403, 422, 422, 403, 404, 404, 404),
    "review:mapping_withdraw": (403, 409, 409, 403, 404, 404, 404),
    "review:mapping_send_back": (403, 422, 422, 403, 404, 404, 404),
    # Reviewers decide; who only reads is refused (audit_security 2d: edit s/e, verdict, evidence).
    "review:decide_row": (422, 422, 403, 403, 404, 404, 404),
    # The catalog of this call has no fact: for who may decide it is not there.
    "review:decide_fact": (404, 404, 403, 403, 404, 404, 404),
    # The same decisions, answered by a fragment; and those of several rows or of no form at all.
    "review:row_decided": (422, 422, 403, 403, 404, 404, 404),
    "review:fact_decided": (404, 404, 403, 403, 404, 404, 404),
    "review:confirm_rest": (422, 422, 403, 403, 404, 404, 404),
    "review:rest_confirmed": (422, 422, 403, 403, 404, 404, 404),
    "review:decision_undone": (422, 422, 403, 403, 404, 404, 404),
    "review:decision_redone": (422, 422, 403, 403, 404, 404, 404),
    # Reviewers sign; a compliance officer asks to reopen, a senior reviewer reopens (2d).
    "review:sign_begin": (422, 422, 403, 403, 404, 404, 404),
    "review:sign_complete": (422, 422, 403, 403, 404, 404, 404),
    "review:sign_by_code": (422, 422, 403, 403, 404, 404, 404),
    "review:ask_reopening": (422, 422, 422, 403, 404, 404, 404),
    "review:decide_reopening": (403, 422, 403, 403, 404, 404, 404),
    # Who decides takes calls from the queue; who says who reads a call is a senior reviewer.
    "review:queue_next": (302, 302, 403, 403, 403, 403, 403),
    "review:hold_claim": (302, 302, 403, 403, 404, 404, 404),
    "review:hold_renew": (409, 409, 403, 403, 404, 404, 404),
    "review:hold_leave": (204, 204, 403, 403, 404, 404, 404),
    "review:hold_release": (302, 302, 403, 403, 404, 404, 404),
    "review:hold_skip": (422, 422, 403, 403, 404, 404, 404),
    "review:hold_take_over": (403, 302, 403, 403, 404, 404, 404),
    "review:hold_assign": (403, 302, 403, 403, 404, 404, 404),
    # A notice that is not theirs is put away by nobody; all are led back.
    "review:notice_dismiss": (302, 302, 302, 302, 302, 302, 302),
    "review:read_again": (403, 302, 302, 403, 404, 404, 404),
    "review:role_map_forget": (403, 302, 302, 403, 403, 403, 403),
    "review:calibration_waive": (403, 403, 403, 403, 403, 422, 404),
    "review:calibration_off": (404, 302, 403, 403, 302, 403, 404),
    "review:calibration_close": (404, 302, 403, 403, 302, 403, 404),
    "review:calibration_decide": (404, 302, 403, 403, 302, 403, 404),
    "review:calibration_rate": (404, 404, 404, 404, 404, 404, 404),
    "review:calibration_done": (404, 404, 404, 404, 404, 404, 404),
}

OTHER_SITE = {
    "review:calls": (200, 200, 200, 200),
    "review:call": (404, 404, 404, 404),
    "review:row_desk": (404, 404, 404, 404),
    "review:sign": (404, 404, 404, 404),
    "review:keys": (200, 200, 200, 200),
    "review:key_sheet": (200, 200, 200, 200),
    "review:queue": (200, 200, 200, 200),
    "review:hold": (404, 404, 404, 404),
    "review:imports": (404, 200, 200, 404),
    "review:import_batch": (404, 404, 404, 404),
    "review:import_progress": (404, 404, 404, 404),
    "review:import_outcomes": (404, 404, 404, 404),
    "review:audits": (404, 404, 200, 200),
    "review:audit": (404, 404, 404, 404),
    "review:audit_progress": (404, 404, 404, 404),
    "review:audit_file": (404, 404, 404, 404),
    "review:mapping": (404, 404, 404, 404),
    "review:role_maps": (403, 200, 200, 403),
    "review:calibrations": (200, 200, 200, 200),
    "review:calibration_open": (403, 200, 403, 403),
    "review:calibration": (404, 404, 404, 404),
    "review:differing": (404, 404, 404, 404),
    "review:rating": (404, 404, 404, 404),
}

OTHER_SITE_FORMS = {
    "review:pause_import": (404, 404, 404, 404),
    "review:resume_import": (404, 404, 404, 404),
    "review:mapping_swap": (404, 404, 404, 404),
    "review:mapping_withdraw": (404, 404, 404, 404),
    "review:mapping_send_back": (404, 404, 404, 404),
    "review:decide_row": (404, 404, 404, 404),
    "review:decide_fact": (404, 404, 404, 404),
    "review:row_decided": (404, 404, 404, 404),
    "review:fact_decided": (404, 404, 404, 404),
    "review:confirm_rest": (404, 404, 404, 404),
    "review:rest_confirmed": (404, 404, 404, 404),
    "review:decision_undone": (404, 404, 404, 404),
    "review:decision_redone": (404, 404, 404, 404),
    "review:sign_begin": (404, 404, 404, 404),
    "review:sign_complete": (404, 404, 404, 404),
    "review:sign_by_code": (404, 404, 404, 404),
    "review:ask_reopening": (404, 404, 404, 404),
    "review:decide_reopening": (404, 404, 404, 404),
    "review:queue_next": (302, 302, 403, 403),
    "review:hold_claim": (404, 404, 404, 404),
    "review:hold_renew": (404, 404, 404, 404),
    "review:hold_leave": (404, 404, 404, 404),
    "review:hold_release": (404, 404, 404, 404),
    "review:hold_skip": (404, 404, 404, 404),
    "review:hold_take_over": (404, 404, 404, 404),
    "review:hold_assign": (404, 404, 404, 404),
    "review:notice_dismiss": (302, 302, 302, 302),
    "review:read_again": (404, 404, 404, 404),
    "review:role_map_forget": (403, 404, 404, 403),
    "review:calibration_waive": (403, 403, 403, 403),
    "review:calibration_off": (404, 404, 404, 404),
    "review:calibration_close": (404, 404, 404, 404),
    "review:calibration_decide": (404, 404, 404, 404),
    "review:calibration_rate": (404, 404, 404, 404),
    "review:calibration_done": (404, 404, 404, 404),
}

# Pages whose own address takes a form as well.
TAKES_FORMS = {"review:mapping", "review:imports", "review:audits", "review:calibration_open"}

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

# Accounts and sites. An auditor sees those of the own sites; of others: not there. Nobody but an
# administrator changes anything, so every POST of the others is 403 before anything is looked up.
ADMINISTRATION = {
    # address                              reviewer senior compliance auditor author approver admin
    "administration:people": (403, 403, 403, 200, 403, 403, 200),
    "administration:new-person": (403, 403, 403, 403, 403, 403, 200),
    "administration:person": (403, 403, 403, 200, 403, 403, 200),
    "administration:person-roles": (403, 403, 403, 403, 403, 403, 302),
    "administration:role-revocation": (403, 403, 403, 403, 403, 403, 302),
    "administration:request-answer": (403, 403, 403, 403, 403, 403, 302),
    "administration:person-standing": (403, 403, 403, 403, 403, 403, 302),
    "administration:person-password": (403, 403, 403, 403, 403, 403, 302),
    "administration:person-second-factor": (403, 403, 403, 403, 403, 403, 302),
    "administration:person-sessions": (403, 403, 403, 403, 403, 403, 302),
    "administration:sites": (403, 403, 403, 200, 403, 403, 200),
    "administration:new-site": (403, 403, 403, 403, 403, 403, 200),
    "administration:site": (403, 403, 403, 200, 403, 403, 200),
    "administration:site-standing": (403, 403, 403, 403, 403, 403, 302),
}

#: What an auditor of another site gets of a person and a site that are not theirs.
ADMINISTRATION_ELSEWHERE = {
    "administration:person": 404,
    "administration:site": 404,
}

#: The addresses that only show; all others of administration take a POST of an administrator.
ADMINISTRATION_SHOWS = {"administration:people", "administration:sites"}

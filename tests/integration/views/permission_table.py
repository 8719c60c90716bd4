"""Who gets what from which page: written from the design's roles, not from the product's code.

Sources: design 4.7 and audit_security 2d. Columns: the name of the address, and per role at the
call's own site the status. People of another site and people without a role get 404 for what
belongs to a site: not theirs is not there. A new address needs a line here, or its test fails.

Two columns are not written out. Who holds no role gets what a catalog author gets, except of
catalogs (`ROLELESS_CATALOG`). Who holds several roles gets the most that one of them gets, but an
administrator gets of calls what an administrator gets, whatever else they are.
"""

from __future__ import annotations

REPORT_CARDS = (
    *("review:report_cards", "review:report_cards_file"),
    *("review:report_card", "review:report_card_file"),
    *("review:drift", "review:drift_file"),
)
MODELS = (
    *("review:model_sites", "review:model_figures", "review:model_check_order"),
    *("review:model_check_cancel", "review:promotion_ask", "review:promotion_stand"),
    "review:promotion_end",
)
OVERSEEN = (
    *("review:signed_calls", "review:signed_calls_file", "review:failure_rates"),
    *("review:failure_rates_file", "review:open_flags", "review:overturned"),
)

OWN_SITE = {
    # address          reviewer senior compliance auditor author approver administrator
    "review:calls": (200, 200, 200, 200, 200, 200, 200),
    "review:call": (200, 200, 200, 200, 404, 404, 404),
    # Words that leave: for who exports audits; who only reads is refused.
    "review:call_vcon": (403, 403, 200, 403, 404, 404, 404),
    # The forms of a row: for who may not decide there are none.
    "review:row_desk": (200, 200, 404, 404, 404, 404, 404),
    # Who reads a call sees its signatures; the forms are for who signs.
    "review:sign": (200, 200, 200, 200, 404, 404, 404),
    # Reviewers see their own figures, administrators see nothing of calls (2d: access log).
    **dict.fromkeys(("review:figures", "review:figures_csv"), (200, 200, 200, 200, 404, 404, 404)),
    # Counts of signed calls, for who oversees them and who writes catalogs (design 4.6, drift).
    **dict.fromkeys(REPORT_CARDS, (404, 200, 200, 200, 200, 200, 404)),
    # Counts, and no call: an administrator, who turns models on, sees them as well (adr/0046).
    "review:model_sites": (404, 200, 200, 200, 200, 200, 200),
    "review:model_figures": (404, 200, 200, 200, 200, 200, 200),
    **dict.fromkeys(("review:keys", "review:key_sheet"), (200, 200, 200, 200, 200, 200, 200)),
    "review:queue": (200, 200, 200, 200, 200, 200, 200),
    "review:hold": (200, 200, 200, 200, 404, 404, 404),
    # Nobody reads it blind, and there are no two readings: all are led to the call.
    "review:reading": (302, 302, 302, 302, 404, 404, 404),
    "review:differences": (302, 302, 302, 302, 404, 404, 404),
    "review:readings": (200, 200, 200, 200, 200, 200, 200),
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
    # Compliance officers oversee their sites, auditors read the same (2d: access log, chains).
    **dict.fromkeys(OVERSEEN, (404, 404, 200, 200, 404, 404, 404)),
    # Who reads a signed call sees its disputes (2d).
    "review:disputes": (200, 200, 200, 200, 404, 404, 404),
    "review:dispute": (200, 200, 200, 200, 404, 404, 404),
    # An auditor reads, and asks for nothing.
    "review:dispute_file": (200, 200, 200, 403, 404, 404, 404),
    **dict.fromkeys(
        ("review:access_log", "review:access_log_file"), (404, 404, 200, 200, 404, 404, 404)
    ),
    "review:log_checks": (404, 404, 200, 200, 404, 404, 404),
    "review:exceptions": (404, 404, 200, 200, 404, 404, 404),
    "review:attestations": (404, 404, 200, 200, 404, 404, 404),
    "review:attestation": (404, 404, 200, 200, 404, 404, 404),
    "review:attestation_record": (404, 404, 200, 200, 404, 404, 404),
    "review:sign_several": (200, 200, 403, 403, 403, 403, 403),
    # Who must be told that proofs of identity fail (21 CFR 11.300(d)).
    "review:signing_alerts": (404, 404, 200, 404, 404, 404, 200),
    # Officers ask, administrators decide, auditors look (audit_security 2d).
    "review:retention": (404, 404, 200, 200, 404, 404, 200),
    # Anybody who is signed in may verify a file; the pack is for who exports or audits. There are
    # no signing keys on this machine.
    "review:verify_audit": (200, 200, 200, 200, 200, 200, 200),
    "review:verifier": (200, 200, 200, 200, 200, 200, 200),
    "review:auditor_pack": (404, 404, 409, 409, 404, 404, 404),
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
    # Authors and approvers see what-ifs of any site in counts and ids (4.6).
    "review:what_if": (404, 200, 404, 200, 200, 200, 404),
    "review:what_if_progress": (404, 200, 404, 200, 200, 200, 404),
    "review:what_if_file": (404, 200, 404, 200, 200, 200, 404),
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
    # Who decides, and a compliance officer, have identifiers shown; an auditor reads them masked.
    "review:reveal": (422, 422, 422, 403, 404, 404, 404),
    "review:hide": (302, 302, 302, 403, 404, 404, 404),
    # Reviewers sign; a compliance officer asks to reopen, a senior reviewer reopens (2d).
    "review:sign_begin": (422, 422, 403, 403, 404, 404, 404),
    "review:sign_complete": (422, 422, 403, 403, 404, 404, 404),
    "review:sign_by_code": (422, 422, 403, 403, 404, 404, 404),
    "review:sign_several_begin": (422, 422, 403, 403, 403, 403, 403),
    "review:sign_several_complete": (422, 422, 403, 403, 403, 403, 403),
    "review:sign_several_by_code": (422, 422, 403, 403, 403, 403, 403),
    "review:erasure_ask": (404, 404, 422, 403, 404, 404, 403),
    "review:erasure_decide": (404, 404, 403, 403, 404, 404, 302),
    "review:legal_hold_place": (404, 404, 422, 403, 404, 404, 403),
    "review:legal_hold_lift": (404, 404, 422, 403, 404, 404, 403),
    "review:retention_propose": (404, 404, 422, 403, 404, 404, 403),
    "review:retention_decide": (404, 404, 403, 403, 404, 404, 302),
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
    # Reviewers read blind and settle; a senior reviewer calls a second reading off.
    "review:reading_take": (302, 302, 403, 403, 404, 404, 404),
    "review:reading_answer": (302, 302, 403, 403, 404, 404, 404),
    "review:reading_done": (302, 302, 403, 403, 404, 404, 404),
    "review:reading_give_back": (302, 302, 403, 403, 404, 404, 404),
    "review:reading_call_off": (403, 302, 403, 403, 404, 404, 404),
    "review:settle": (302, 302, 403, 403, 404, 404, 404),
    # How much is read blind is governance: a compliance officer says so.
    "review:set_shares": (403, 403, 422, 403, 404, 404, 404),
    # A notice that is not theirs is put away by nobody; all are led back.
    "review:notice_dismiss": (302, 302, 302, 302, 302, 302, 302),
    # Somebody else of those two answers, who filed it alone withdraws it.
    "review:dispute_answer": (403, 422, 422, 403, 404, 404, 404),
    "review:dispute_withdraw": (403, 403, 403, 403, 404, 404, 404),
    "review:log_verify": (404, 404, 302, 403, 404, 404, 404),
    # Officers approve what another one asked for, auditors nothing.
    "review:exception_approve": (404, 404, 302, 403, 404, 404, 404),
    "review:exception_end": (404, 404, 302, 403, 404, 404, 404),
    # The one that waits needs no second person any more: who could be one is told.
    "review:audit_approve": (404, 404, 409, 403, 404, 404, 404),
    "review:audit_decline": (404, 404, 409, 403, 404, 404, 404),
    "review:read_again": (403, 302, 302, 403, 404, 404, 404),
    "review:role_map_forget": (403, 302, 302, 403, 403, 403, 403),
    "review:calibration_waive": (403, 403, 403, 403, 403, 422, 404),
    "review:calibration_off": (404, 302, 403, 403, 302, 403, 404),
    "review:calibration_close": (404, 302, 403, 403, 302, 403, 404),
    "review:calibration_decide": (404, 302, 403, 403, 302, 403, 404),
    "review:calibration_rate": (404, 404, 404, 404, 404, 404, 404),
    "review:calibration_done": (404, 404, 404, 404, 404, 404, 404),
    "review:what_if_cancel": (404, 302, 404, 403, 302, 302, 404),
    # Approvers and administrators have models checked and promoted, two of them and never two
    # approvers; what an approver asked for here falls short.
    "review:model_check_order": (404, 403, 403, 403, 403, 422, 422),
    "review:model_check_cancel": (404, 403, 403, 403, 403, 302, 302),
    "review:promotion_ask": (404, 403, 403, 403, 403, 422, 422),
    "review:promotion_stand": (404, 403, 403, 403, 403, 403, 409),
    "review:promotion_end": (404, 403, 403, 403, 403, 302, 302),
}

OTHER_SITE = {
    "review:calls": (200, 200, 200, 200),
    "review:call": (404, 404, 404, 404),
    "review:call_vcon": (404, 404, 404, 404),
    "review:row_desk": (404, 404, 404, 404),
    "review:sign": (404, 404, 404, 404),
    **dict.fromkeys(("review:figures", "review:figures_csv"), (200, 200, 200, 200)),
    **dict.fromkeys(REPORT_CARDS, (404, 200, 200, 200)),
    "review:model_sites": (404, 200, 200, 200),
    "review:model_figures": (404, 404, 404, 404),
    **dict.fromkeys(("review:keys", "review:key_sheet"), (200, 200, 200, 200)),
    "review:queue": (200, 200, 200, 200),
    "review:hold": (404, 404, 404, 404),
    "review:reading": (404, 404, 404, 404),
    "review:differences": (404, 404, 404, 404),
    "review:readings": (200, 200, 200, 200),
    "review:imports": (404, 200, 200, 404),
    "review:import_batch": (404, 404, 404, 404),
    "review:import_progress": (404, 404, 404, 404),
    "review:import_outcomes": (404, 404, 404, 404),
    "review:audits": (404, 404, 200, 200),
    "review:audit": (404, 404, 404, 404),
    "review:audit_progress": (404, 404, 404, 404),
    "review:audit_file": (404, 404, 404, 404),
    **dict.fromkeys(OVERSEEN, (404, 404, 200, 200)),
    "review:disputes": (200, 200, 200, 200),
    "review:dispute": (404, 404, 404, 404),
    "review:dispute_file": (404, 404, 404, 404),
    **dict.fromkeys(("review:access_log", "review:access_log_file"), (404, 404, 200, 200)),
    "review:log_checks": (404, 404, 200, 200),
    "review:exceptions": (404, 404, 200, 200),
    "review:attestations": (404, 404, 200, 200),
    "review:attestation": (404, 404, 404, 404),
    "review:attestation_record": (404, 404, 404, 404),
    "review:signing_alerts": (404, 404, 200, 404),
    "review:retention": (404, 404, 200, 200),
    "review:sign_several": (200, 200, 403, 403),
    "review:verify_audit": (200, 200, 200, 200),
    "review:verifier": (200, 200, 200, 200),
    "review:auditor_pack": (404, 404, 409, 409),
    "review:mapping": (404, 404, 404, 404),
    "review:role_maps": (403, 200, 200, 403),
    "review:calibrations": (200, 200, 200, 200),
    "review:calibration_open": (403, 200, 403, 403),
    "review:calibration": (404, 404, 404, 404),
    "review:differing": (404, 404, 404, 404),
    "review:rating": (404, 404, 404, 404),
    "review:what_if": (404, 404, 404, 404),
    "review:what_if_progress": (404, 404, 404, 404),
    "review:what_if_file": (404, 404, 404, 404),
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
    "review:reveal": (404, 404, 404, 404),
    "review:hide": (404, 404, 404, 404),
    "review:sign_begin": (404, 404, 404, 404),
    "review:sign_complete": (404, 404, 404, 404),
    "review:sign_by_code": (404, 404, 404, 404),
    "review:sign_several_begin": (422, 422, 403, 403),
    "review:sign_several_complete": (422, 422, 403, 403),
    "review:sign_several_by_code": (422, 422, 403, 403),
    "review:erasure_ask": (404, 404, 422, 403),
    "review:erasure_decide": (404, 404, 403, 403),
    "review:legal_hold_place": (404, 404, 422, 403),
    "review:legal_hold_lift": (404, 404, 404, 403),
    "review:retention_propose": (404, 404, 422, 403),
    "review:retention_decide": (404, 404, 403, 403),
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
    "review:reading_take": (404, 404, 404, 404),
    "review:reading_answer": (404, 404, 404, 404),
    "review:reading_done": (404, 404, 404, 404),
    "review:reading_give_back": (404, 404, 404, 404),
    "review:reading_call_off": (404, 404, 404, 404),
    "review:settle": (404, 404, 404, 404),
    "review:set_shares": (404, 404, 404, 404),
    "review:notice_dismiss": (302, 302, 302, 302),
    "review:dispute_answer": (404, 404, 404, 404),
    "review:dispute_withdraw": (404, 404, 404, 404),
    "review:log_verify": (404, 404, 302, 403),
    "review:exception_approve": (404, 404, 404, 404),
    "review:exception_end": (404, 404, 404, 404),
    "review:audit_approve": (404, 404, 404, 404),
    "review:audit_decline": (404, 404, 404, 404),
    "review:read_again": (404, 404, 404, 404),
    "review:role_map_forget": (403, 404, 404, 403),
    "review:calibration_waive": (403, 403, 403, 403),
    "review:calibration_off": (404, 404, 404, 404),
    "review:calibration_close": (404, 404, 404, 404),
    "review:calibration_decide": (404, 404, 404, 404),
    "review:calibration_rate": (404, 404, 404, 404),
    "review:calibration_done": (404, 404, 404, 404),
    "review:what_if_cancel": (404, 404, 404, 404),
    **dict.fromkeys(MODELS[2:], (404, 404, 404, 404)),
}

# Pages whose own address takes a form as well; an empty one comes back with its faults (422).
PAGE_FORMS = {
    # address        reviewer senior compliance auditor author approver administrator
    "review:mapping": (403, 422, 422, 403, 404, 404, 404),
    # An administrator sees imports, and auditors audits; neither makes one.
    "review:imports": (404, 422, 422, 404, 404, 404, 403),
    "review:audits": (404, 404, 422, 403, 404, 404, 404),
    # The call of these lines is not signed.
    "review:dispute_file": (422, 422, 422, 403, 404, 404, 404),
    "review:calibration_open": (403, 422, 403, 403, 422, 403, 404),
    "review:exceptions": (404, 404, 422, 403, 404, 404, 404),
    "review:attestations": (404, 404, 422, 403, 404, 404, 404),
    "review:verify_audit": (422, 422, 422, 422, 422, 422, 422),
}

OTHER_SITE_PAGE_FORMS = {
    "review:mapping": (404, 404, 404, 404),
    "review:imports": (404, 422, 422, 404),
    "review:audits": (404, 404, 422, 403),
    "review:dispute_file": (404, 404, 404, 404),
    "review:calibration_open": (403, 422, 403, 403),
    "review:exceptions": (404, 404, 422, 403),
    "review:attestations": (404, 404, 422, 403),
    "review:verify_audit": (422, 422, 422, 422),
}

# Pages whose own address takes a form as well.
TAKES_FORMS = PAGE_FORMS.keys()

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

# What a catalog author gets without a site is not for who has no role at all.
ROLELESS = dict.fromkeys(
    (
        *("review:calibrations", "review:calibration_open", "review:calibration"),
        *("review:differing", "review:calibration_waive", "review:calibration_off"),
        *("review:calibration_close", "review:calibration_decide"),
        *("review:what_if", "review:what_if_progress", "review:what_if_file"),
        *("review:what_if_cancel", *REPORT_CARDS, *MODELS),
    ),
    404,
)

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
    "administration:adjudicator": (403, 403, 403, 403, 403, 403, 200),
    "administration:adjudicator-switch": (403, 403, 403, 403, 403, 403, 302),
    "administration:site-masking": (403, 403, 403, 403, 403, 403, 302),
    "administration:site-standing": (403, 403, 403, 403, 403, 403, 302),
    "administration:clients": (403, 403, 403, 403, 403, 403, 200),
    "administration:new-client": (403, 403, 403, 403, 403, 403, 200),
    "administration:client": (403, 403, 403, 403, 403, 403, 200),
    "administration:client-revocation": (403, 403, 403, 403, 403, 403, 302),
    "administration:webhooks": (403, 403, 403, 403, 403, 403, 200),
    "administration:new-webhook": (403, 403, 403, 403, 403, 403, 200),
    "administration:webhook-removal": (403, 403, 403, 403, 403, 403, 302),
}

#: What an auditor of another site gets of a person and a site that are not theirs.
ADMINISTRATION_ELSEWHERE = {
    "administration:person": 404,
    "administration:site": 404,
}

#: The addresses that only show; all others of administration take a POST of an administrator.
ADMINISTRATION_SHOWS = {
    f"administration:{name}" for name in ("people", "sites", "clients", "client", "webhooks")
}

#: A form without anything in it comes back with its faults, where it may be sent at all.
ADMINISTRATION_FORMS = {
    # address                              reviewer senior compliance auditor author approver admin
    "administration:new-person": (403, 403, 403, 403, 403, 403, 422),
    "administration:person": (403, 403, 403, 403, 403, 403, 422),
    "administration:person-roles": (403, 403, 403, 403, 403, 403, 422),
    "administration:role-revocation": (403, 403, 403, 403, 403, 403, 422),
    "administration:request-answer": (403, 403, 403, 403, 403, 403, 422),
    "administration:person-standing": (403, 403, 403, 403, 403, 403, 422),
    "administration:person-password": (403, 403, 403, 403, 403, 403, 422),
    "administration:person-second-factor": (403, 403, 403, 403, 403, 403, 422),
    # Without the number of a session all are ended.
    "administration:person-sessions": (403, 403, 403, 403, 403, 403, 302),
    "administration:new-site": (403, 403, 403, 403, 403, 403, 422),
    "administration:site": (403, 403, 403, 403, 403, 403, 422),
    "administration:adjudicator": (403, 403, 403, 403, 403, 403, 422),
    "administration:adjudicator-switch": (403, 403, 403, 403, 403, 403, 422),
    "administration:site-masking": (403, 403, 403, 403, 403, 403, 422),
    "administration:site-standing": (403, 403, 403, 403, 403, 403, 422),
    "administration:new-client": (403, 403, 403, 403, 403, 403, 422),
    "administration:new-webhook": (403, 403, 403, 403, 403, 403, 422),
    "administration:client-revocation": (403, 403, 403, 403, 403, 403, 302),
    "administration:webhook-removal": (403, 403, 403, 403, 403, 403, 302),
}

# The acts themselves (2d): how far a role carries each. "never" holds whatever else is held.
ACTS = {
    # act              reviewer  senior  complia. auditor  author  approver administrator
    "READ_CALLS": ("site", "site", "site", "site", "no", "no", "never"),
    "DECIDE_ROWS": ("site", "site", "no", "no", "no", "no", "never"),
    "SETTLE_DOUBTS": ("no", "site", "no", "no", "no", "no", "never"),
    "ASSIGN_CALLS": ("no", "site", "no", "no", "no", "no", "never"),
    "REVEAL_IDENTIFIERS": ("site", "site", "site", "no", "no", "no", "never"),
    "SIGN_CALLS": ("site", "site", "no", "no", "no", "no", "never"),
    "ASK_REOPENING": ("site", "site", "site", "no", "no", "no", "never"),
    "REOPEN_CALLS": ("no", "site", "no", "no", "no", "no", "never"),
    "FILE_DISPUTES": ("site", "site", "site", "no", "no", "no", "never"),
    "ANSWER_DISPUTES": ("no", "site", "site", "no", "no", "no", "never"),
    "SET_SHARES": ("no", "no", "site", "no", "no", "no", "never"),
    "IMPORT_CALLS": ("no", "site", "site", "no", "no", "no", "never"),
    "SEE_IMPORTS": ("no", "site", "site", "no", "no", "no", "everywhere"),
    "MAP_CALLS": ("no", "site", "site", "no", "no", "no", "never"),
    "EXPORT_AUDITS": ("no", "no", "site", "no", "no", "no", "never"),
    "FETCH_AUDITS": ("no", "no", "site", "site", "no", "no", "never"),
    "HOLD_ROUNDS": ("no", "site", "no", "no", "everywhere", "no", "never"),
    "SEE_ROUNDS": ("no", "site", "site", "site", "everywhere", "everywhere", "never"),
    "ASK_WHAT_IFS": ("no", "site", "no", "no", "everywhere", "everywhere", "never"),
    "SEE_WHAT_IFS": ("no", "site", "no", "site", "everywhere", "everywhere", "never"),
    "SEE_REPORT_CARDS": ("no", "site", "site", "site", "everywhere", "everywhere", "never"),
    "SEE_FIGURES": ("no", "site", "site", "site", "no", "no", "never"),
    "SEE_OWN_FIGURES": ("site", "no", "no", "no", "no", "no", "never"),
    "SEE_MODEL_FIGURES": ("no", "site", "site", "site", *("everywhere",) * 3),
    "PROMOTE_MODELS": ("no", "no", "no", "no", "no", "everywhere", "everywhere"),
    "OVERSEE_CALLS": ("no", "no", "site", "site", "no", "no", "never"),
    "ATTEST_PERIODS": ("no", "no", "site", "no", "no", "no", "never"),
    "APPROVE_EXCEPTIONS": ("no", "no", "site", "no", "no", "no", "never"),
    "ASK_ERASURE": ("no", "no", "site", "no", "no", "no", "never"),
    "APPROVE_ERASURE": ("no", "no", "no", "no", "no", "no", "everywhere"),
    "READ_CATALOGS": ("everywhere",) * 7,
    "READ_DRAFTS": ("no", "everywhere", "no", "everywhere", "everywhere", "everywhere", "no"),
    "COMMENT_CATALOGS": ("no", "everywhere", "no", "no", "everywhere", "everywhere", "no"),
    "WRITE_CATALOGS": ("no", "no", "no", "no", "everywhere", "no", "no"),
    "PUBLISH_CATALOGS": ("no", "no", "no", "no", "no", "everywhere", "no"),
    "SEE_PEOPLE": ("no", "no", "no", "site", "no", "no", "everywhere"),
    "MANAGE_PEOPLE": ("no", "no", "no", "no", "no", "no", "everywhere"),
    "GRANT_ROLES": ("no", "no", "no", "no", "no", "no", "everywhere"),
    "MANAGE_CLIENTS": ("no", "no", "no", "no", "no", "no", "everywhere"),
}

# What nobody does to what they wrote, submitted or asked for themselves (2d), and its test.
SECOND_PERSON = {
    "REOPEN_CALLS": "tests/integration/review/test_signing.py",
    "ANSWER_DISPUTES": "tests/integration/views/test_disputes.py",
    "APPROVE_EXCEPTIONS": "tests/integration/views/test_exceptions.py",
    "APPROVE_ERASURE": "tests/integration/review/test_erasing.py",
    "PUBLISH_CATALOGS": "tests/integration/catalogs/test_versions.py",
    "GRANT_ROLES": "tests/integration/administration/test_roles.py",
    "PROMOTE_MODELS": "tests/integration/review/test_promotions.py",
}

# Each act with the addresses whose lines above turn red when one of its cells is flipped.
GUARDS = {
    "READ_CALLS": ("GET review:call",),
    "DECIDE_ROWS": ("POST review:queue_next", "POST review:decide_row"),
    "ASSIGN_CALLS": ("POST review:hold_assign",),
    "REVEAL_IDENTIFIERS": ("POST review:reveal",),
    "SIGN_CALLS": ("POST review:sign_begin",),
    "ASK_REOPENING": ("POST review:ask_reopening",),
    "REOPEN_CALLS": ("POST review:decide_reopening",),
    "FILE_DISPUTES": ("POST review:dispute_file",),
    "ANSWER_DISPUTES": ("POST review:dispute_answer",),
    "SET_SHARES": ("POST review:set_shares",),
    "IMPORT_CALLS": ("POST review:imports",),
    "SEE_IMPORTS": ("GET review:import_batch",),
    "MAP_CALLS": ("GET review:role_maps", "GET review:mapping"),
    "EXPORT_AUDITS": ("POST review:audits",),
    "FETCH_AUDITS": ("GET review:audit",),
    "HOLD_ROUNDS": ("GET review:calibration_open",),
    "SEE_ROUNDS": ("GET review:calibration",),
    "ASK_WHAT_IFS": ("POST review:what_if_cancel",),
    "SEE_WHAT_IFS": ("GET review:what_if",),
    "SEE_REPORT_CARDS": ("GET review:report_card",),
    "SEE_FIGURES": ("GET review:figures",),
    "SEE_OWN_FIGURES": ("GET review:figures",),
    "SEE_MODEL_FIGURES": ("GET review:model_figures",),
    "PROMOTE_MODELS": ("POST review:promotion_end",),
    "OVERSEE_CALLS": ("GET review:signed_calls", "GET review:attestation"),
    "ATTEST_PERIODS": ("POST review:exception_end",),
    "APPROVE_EXCEPTIONS": ("POST review:exception_approve",),
    "ASK_ERASURE": ("POST review:legal_hold_lift",),
    "APPROVE_ERASURE": ("POST review:erasure_decide",),
    "READ_CATALOGS": ("GET catalogs:version",),
    "READ_DRAFTS": ("GET catalogs:version of a draft",),
    "SEE_PEOPLE": ("GET administration:person",),
    "MANAGE_PEOPLE": ("GET administration:new-person",),
    "GRANT_ROLES": (),
    "MANAGE_CLIENTS": ("GET administration:clients", "POST administration:new-webhook"),
    # tests/integration/catalogs/test_studio.py asks these at their pages.
    "COMMENT_CATALOGS": (),
    "WRITE_CATALOGS": (),
    "PUBLISH_CATALOGS": (),
    # It changes what a decision counts for, not a page's answer:
    # tests/integration/review/test_decisions.py.
    "SETTLE_DOUBTS": (),
}

"""Addresses of review: a page's always answers with a page, a fragment's with a fragment."""

from django.urls import URLPattern, path

from review.views.audit import (
    audit,
    audit_approve,
    audit_decline,
    audit_file,
    audit_progress,
)
from review.views.audits import audits
from review.views.batch_signing import (
    sign_several,
    sign_several_begin,
    sign_several_by_code,
    sign_several_complete,
)
from review.views.calibration import (
    calibration,
    calibration_close,
    calibration_decide,
    calibration_done,
    calibration_off,
    calibration_open,
    calibration_rate,
    calibration_waive,
    calibrations,
    differing,
    rating,
)
from review.views.call import (
    call,
    call_vcon,
    confirm_rest,
    decide_fact,
    decide_row,
    decision_redone,
    decision_undone,
    fact_decided,
    hide,
    rest_confirmed,
    reveal,
    row_decided,
    row_desk,
)
from review.views.calls import calls
from review.views.compliance.access_log import access_log, access_log_file
from review.views.compliance.attestations import (
    attestation,
    attestation_record,
    attestations,
)
from review.views.compliance.compliance_exceptions import (
    exception_approve,
    exception_end,
    exceptions,
)
from review.views.compliance.dispute import dispute, dispute_answer, dispute_withdraw
from review.views.compliance.disputes import dispute_file, disputes
from review.views.compliance.failure_rates import failure_rates, failure_rates_file
from review.views.compliance.log_checks import log_checks, log_verify
from review.views.compliance.open_flags import open_flags
from review.views.compliance.overturned import overturned
from review.views.compliance.signed_calls import signed_calls, signed_calls_file
from review.views.differences import differences, settle
from review.views.draft_hits import draft_examples, draft_hit_calls, draft_hits
from review.views.draft_rehearsal import (
    draft_call_test,
    draft_rehearsal,
    draft_rehearsal_begin,
    draft_rehearsal_progress,
    draft_test,
)
from review.views.drift import drift, drift_file
from review.views.figures import figures, figures_csv
from review.views.hold import (
    hold,
    hold_assign,
    hold_claim,
    hold_leave,
    hold_release,
    hold_renew,
    hold_skip,
    hold_take_over,
    notice_dismiss,
)
from review.views.import_batch import (
    import_batch,
    import_outcomes,
    import_progress,
    pause_import,
    resume_import,
)
from review.views.imports import imports
from review.views.keys import key_sheet, keys
from review.views.mapping import mapping, send_back, swap, withdraw
from review.views.model_figures import (
    model_check_cancel,
    model_check_order,
    model_figures,
    model_sites_list,
    promotion_ask,
    promotion_end,
    promotion_stand,
)
from review.views.queue import queue, queue_next
from review.views.read_again import read_again
from review.views.reading import (
    reading,
    reading_answer,
    reading_call_off,
    reading_done,
    reading_give_back,
    reading_take,
)
from review.views.readings import readings, set_shares
from review.views.report_cards import (
    report_card,
    report_card_file,
    report_cards,
    report_cards_file,
)
from review.views.retention import (
    erasure_ask,
    erasure_decide,
    legal_hold_lift,
    legal_hold_place,
    retention,
    retention_decide,
    retention_propose,
)
from review.views.role_maps import forget, role_maps
from review.views.signing import (
    ask_reopening,
    decide_reopening,
    sign,
    sign_begin,
    sign_by_code,
    sign_complete,
)
from review.views.signing_alerts import signing_alerts
from review.views.trial import trial
from review.views.verify_audit import auditor_pack, verifier, verify
from review.views.what_ifs import (
    what_if,
    what_if_cancel,
    what_if_file,
    what_if_progress,
    what_ifs_of_draft,
    what_ifs_of_version,
)

app_name = "review"

urlpatterns: list[URLPattern] = [
    path("", calls, name="calls"),
    path("queue/", queue, name="queue"),
    path("queue/next", queue_next, name="queue_next"),
    path("notices/<int:notice_id>/dismiss", notice_dismiss, name="notice_dismiss"),
    path("calls/<uuid:call_id>/", call, name="call"),
    path("calls/<uuid:call_id>/call.vcon", call_vcon, name="call_vcon"),
    path("calls/<uuid:call_id>/hold/", hold, name="hold"),
    path("calls/<uuid:call_id>/hold/claim", hold_claim, name="hold_claim"),
    path("calls/<uuid:call_id>/hold/renew", hold_renew, name="hold_renew"),
    path("calls/<uuid:call_id>/hold/leave", hold_leave, name="hold_leave"),
    path("calls/<uuid:call_id>/hold/release", hold_release, name="hold_release"),
    path("calls/<uuid:call_id>/hold/skip", hold_skip, name="hold_skip"),
    path("calls/<uuid:call_id>/hold/take-over", hold_take_over, name="hold_take_over"),
    path("calls/<uuid:call_id>/hold/assign", hold_assign, name="hold_assign"),
    path("calls/<uuid:call_id>/rows/<str:phase>/decide", decide_row, name="decide_row"),
    path("calls/<uuid:call_id>/facts/<str:fact>/decide", decide_fact, name="decide_fact"),
    path("calls/<uuid:call_id>/rows/confirm", confirm_rest, name="confirm_rest"),
    path("calls/<uuid:call_id>/rows/<str:phase>/desk", row_desk, name="row_desk"),
    path("calls/<uuid:call_id>/rows/<str:phase>/decided", row_decided, name="row_decided"),
    path("calls/<uuid:call_id>/facts/<str:fact>/decided", fact_decided, name="fact_decided"),
    path("calls/<uuid:call_id>/rows/confirmed", rest_confirmed, name="rest_confirmed"),
    path("calls/<uuid:call_id>/undone", decision_undone, name="decision_undone"),
    path("calls/<uuid:call_id>/redone", decision_redone, name="decision_redone"),
    path("calls/<uuid:call_id>/reading/", reading, name="reading"),
    path("calls/<uuid:call_id>/reading/take", reading_take, name="reading_take"),
    path(
        "calls/<uuid:call_id>/reading/rows/<str:phase>/answer",
        reading_answer,
        name="reading_answer",
    ),
    path("calls/<uuid:call_id>/reading/done", reading_done, name="reading_done"),
    path("calls/<uuid:call_id>/reading/give-back", reading_give_back, name="reading_give_back"),
    path("calls/<uuid:call_id>/reading/call-off", reading_call_off, name="reading_call_off"),
    path("calls/<uuid:call_id>/differences/", differences, name="differences"),
    path("calls/<uuid:call_id>/differences/<str:phase>/settle", settle, name="settle"),
    path("calls/<uuid:call_id>/identifiers/reveal", reveal, name="reveal"),
    path("calls/<uuid:call_id>/identifiers/hide", hide, name="hide"),
    path("calls/<uuid:call_id>/sign/", sign, name="sign"),
    path("calls/<uuid:call_id>/sign/begin", sign_begin, name="sign_begin"),
    path("calls/<uuid:call_id>/sign/complete", sign_complete, name="sign_complete"),
    path("calls/<uuid:call_id>/sign/code", sign_by_code, name="sign_by_code"),
    path("calls/<uuid:call_id>/dispute/", dispute_file, name="dispute_file"),
    path("calls/<uuid:call_id>/reopening/ask", ask_reopening, name="ask_reopening"),
    path("calls/<uuid:call_id>/reopening/decide", decide_reopening, name="decide_reopening"),
    path("catalogs/drafts/<uuid:draft_id>/rehearsal/", draft_rehearsal, name="draft_rehearsal"),
    path(
        "catalogs/drafts/<uuid:draft_id>/rehearsal/progress",
        draft_rehearsal_progress,
        name="draft_rehearsal_progress",
    ),
    path(
        "catalogs/drafts/<uuid:draft_id>/rehearsal/begin",
        draft_rehearsal_begin,
        name="draft_rehearsal_begin",
    ),
    path("catalogs/drafts/<uuid:draft_id>/rehearsal/test", draft_test, name="draft_test"),
    path(
        "catalogs/drafts/<uuid:draft_id>/rehearsal/call-test",
        draft_call_test,
        name="draft_call_test",
    ),
    path("catalogs/drafts/<uuid:draft_id>/hits/", draft_hits, name="draft_hits"),
    path("catalogs/drafts/<uuid:draft_id>/hits/calls", draft_hit_calls, name="draft_hit_calls"),
    path("catalogs/drafts/<uuid:draft_id>/examples", draft_examples, name="draft_examples"),
    path("catalogs/drafts/<uuid:draft_id>/what-if/", what_ifs_of_draft, name="what_ifs_of_draft"),
    path(
        "catalogs/<slug:slug>/<str:version>/what-if/",
        what_ifs_of_version,
        name="what_ifs_of_version",
    ),
    path(
        "catalogs/<slug:slug>/<str:version>/trial/",
        trial,
        name="trial",
    ),
    path(
        "catalogs/<slug:slug>/<str:version>/report-card/",
        report_card,
        name="report_card",
    ),
    path(
        "catalogs/<slug:slug>/<str:version>/report-card.csv",
        report_card_file,
        name="report_card_file",
    ),
    path("figures/", figures, name="figures"),
    path("figures/figures.csv", figures_csv, name="figures_csv"),
    path("signing/", sign_several, name="sign_several"),
    path("signing/begin", sign_several_begin, name="sign_several_begin"),
    path("signing/complete", sign_several_complete, name="sign_several_complete"),
    path("signing/code", sign_several_by_code, name="sign_several_by_code"),
    path("signing-alerts/", signing_alerts, name="signing_alerts"),
    path("keys/", keys, name="keys"),
    path("keys/sheet", key_sheet, name="key_sheet"),
    path("imports/", imports, name="imports"),
    path("imports/<uuid:batch_id>/", import_batch, name="import_batch"),
    path("imports/<uuid:batch_id>/progress", import_progress, name="import_progress"),
    path("imports/<uuid:batch_id>/outcomes.csv", import_outcomes, name="import_outcomes"),
    path("imports/<uuid:batch_id>/pause", pause_import, name="pause_import"),
    path("imports/<uuid:batch_id>/resume", resume_import, name="resume_import"),
    path("audits/", audits, name="audits"),
    path("audits/verify/", verify, name="verify_audit"),
    path("audits/verify/oip_verify.py", verifier, name="verifier"),
    path("audits/pack.zip", auditor_pack, name="auditor_pack"),
    path("audits/<uuid:export_id>/", audit, name="audit"),
    path("audits/<uuid:export_id>/progress", audit_progress, name="audit_progress"),
    path("audits/<uuid:export_id>/approve", audit_approve, name="audit_approve"),
    path("audits/<uuid:export_id>/decline", audit_decline, name="audit_decline"),
    path("audits/<uuid:export_id>/file", audit_file, name="audit_file"),
    path("calibration/", calibrations, name="calibrations"),
    path("calibration/open/", calibration_open, name="calibration_open"),
    path("calibration/waive", calibration_waive, name="calibration_waive"),
    path("calibration/<uuid:round_id>/", calibration, name="calibration"),
    path("calibration/<uuid:round_id>/off", calibration_off, name="calibration_off"),
    path("calibration/<uuid:round_id>/done", calibration_done, name="calibration_done"),
    path("calibration/<uuid:round_id>/calls/<int:position>/", rating, name="rating"),
    path(
        "calibration/<uuid:round_id>/calls/<int:position>/rows/<str:phase>/rate",
        calibration_rate,
        name="calibration_rate",
    ),
    path("calibration/<uuid:round_id>/differences/", differing, name="differing"),
    path(
        "calibration/<uuid:round_id>/differences/<int:position>/<str:phase>/decide",
        calibration_decide,
        name="calibration_decide",
    ),
    path("calibration/<uuid:round_id>/close", calibration_close, name="calibration_close"),
    path("compliance/", signed_calls, name="signed_calls"),
    path("compliance/signed-calls.csv", signed_calls_file, name="signed_calls_file"),
    path("compliance/rates/", failure_rates, name="failure_rates"),
    path("compliance/failure-rates.csv", failure_rates_file, name="failure_rates_file"),
    path("compliance/flags/", open_flags, name="open_flags"),
    path("compliance/overturned/", overturned, name="overturned"),
    path("compliance/disputes/", disputes, name="disputes"),
    path("compliance/disputes/<uuid:dispute_id>/", dispute, name="dispute"),
    path("compliance/disputes/<uuid:dispute_id>/answer", dispute_answer, name="dispute_answer"),
    path(
        "compliance/disputes/<uuid:dispute_id>/withdraw",
        dispute_withdraw,
        name="dispute_withdraw",
    ),
    path("compliance/access/", access_log, name="access_log"),
    path("compliance/access-log.csv", access_log_file, name="access_log_file"),
    path("compliance/exceptions/", exceptions, name="exceptions"),
    path(
        "compliance/exceptions/<uuid:exception_id>/approve",
        exception_approve,
        name="exception_approve",
    ),
    path("compliance/exceptions/<uuid:exception_id>/end", exception_end, name="exception_end"),
    path("compliance/attestations/", attestations, name="attestations"),
    path("compliance/attestations/<uuid:attestation_id>/", attestation, name="attestation"),
    path(
        "compliance/attestations/<uuid:attestation_id>/record.json",
        attestation_record,
        name="attestation_record",
    ),
    path("compliance/log/", log_checks, name="log_checks"),
    path("compliance/log/verify", log_verify, name="log_verify"),
    path("calls/<uuid:call_id>/mapping/", mapping, name="mapping"),
    path("calls/<uuid:call_id>/mapping/swap/", swap, name="mapping_swap"),
    path("calls/<uuid:call_id>/mapping/withdraw/", withdraw, name="mapping_withdraw"),
    path("calls/<uuid:call_id>/mapping/send-back/", send_back, name="mapping_send_back"),
    path("calls/<uuid:call_id>/read-again/", read_again, name="read_again"),
    path("models/", model_sites_list, name="model_sites"),
    path("models/<uuid:site_id>/", model_figures, name="model_figures"),
    path("models/<uuid:site_id>/check", model_check_order, name="model_check_order"),
    path("models/<uuid:site_id>/promote", promotion_ask, name="promotion_ask"),
    path("models/checks/<uuid:check_id>/cancel", model_check_cancel, name="model_check_cancel"),
    path("models/promotions/<uuid:promotion_id>/stand", promotion_stand, name="promotion_stand"),
    path("models/promotions/<uuid:promotion_id>/end", promotion_end, name="promotion_end"),
    path("readings/", readings, name="readings"),
    path("readings/<uuid:site_id>/shares", set_shares, name="set_shares"),
    path("drift/", drift, name="drift"),
    path("drift/drift.csv", drift_file, name="drift_file"),
    path("report-cards/", report_cards, name="report_cards"),
    path("report-cards/report-cards.csv", report_cards_file, name="report_cards_file"),
    path("retention/", retention, name="retention"),
    path("retention/erasures/ask", erasure_ask, name="erasure_ask"),
    path("retention/erasures/<uuid:erasure_id>/decide", erasure_decide, name="erasure_decide"),
    path("retention/holds/place", legal_hold_place, name="legal_hold_place"),
    path("retention/holds/<uuid:hold_id>/lift", legal_hold_lift, name="legal_hold_lift"),
    path("retention/rules/propose", retention_propose, name="retention_propose"),
    path("retention/rules/<uuid:rule_id>/decide", retention_decide, name="retention_decide"),
    path("role-maps/", role_maps, name="role_maps"),
    path("role-maps/<uuid:map_id>/forget/", forget, name="role_map_forget"),
    path("what-ifs/<uuid:what_if_id>/", what_if, name="what_if"),
    path("what-ifs/<uuid:what_if_id>/progress", what_if_progress, name="what_if_progress"),
    path("what-ifs/<uuid:what_if_id>/cancel", what_if_cancel, name="what_if_cancel"),
    path("what-ifs/<uuid:what_if_id>/calls.csv", what_if_file, name="what_if_file"),
]

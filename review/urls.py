"""Addresses of review: a page's always answers with a page, a fragment's with a fragment."""

from django.urls import URLPattern, path

from review.views.audit import audit, audit_file, audit_progress
from review.views.audits import audits
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
from review.views.queue import queue, queue_next
from review.views.read_again import read_again
from review.views.role_maps import forget, role_maps
from review.views.signing import (
    ask_reopening,
    decide_reopening,
    sign,
    sign_begin,
    sign_by_code,
    sign_complete,
)

app_name = "review"

urlpatterns: list[URLPattern] = [
    path("", calls, name="calls"),
    path("queue/", queue, name="queue"),
    path("queue/next", queue_next, name="queue_next"),
    path("notices/<int:notice_id>/dismiss", notice_dismiss, name="notice_dismiss"),
    path("calls/<uuid:call_id>/", call, name="call"),
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
    path("calls/<uuid:call_id>/identifiers/reveal", reveal, name="reveal"),
    path("calls/<uuid:call_id>/identifiers/hide", hide, name="hide"),
    path("calls/<uuid:call_id>/sign/", sign, name="sign"),
    path("calls/<uuid:call_id>/sign/begin", sign_begin, name="sign_begin"),
    path("calls/<uuid:call_id>/sign/complete", sign_complete, name="sign_complete"),
    path("calls/<uuid:call_id>/sign/code", sign_by_code, name="sign_by_code"),
    path("calls/<uuid:call_id>/reopening/ask", ask_reopening, name="ask_reopening"),
    path("calls/<uuid:call_id>/reopening/decide", decide_reopening, name="decide_reopening"),
    path("figures/", figures, name="figures"),
    path("figures/figures.csv", figures_csv, name="figures_csv"),
    path("keys/", keys, name="keys"),
    path("keys/sheet", key_sheet, name="key_sheet"),
    path("imports/", imports, name="imports"),
    path("imports/<uuid:batch_id>/", import_batch, name="import_batch"),
    path("imports/<uuid:batch_id>/progress", import_progress, name="import_progress"),
    path("imports/<uuid:batch_id>/outcomes.csv", import_outcomes, name="import_outcomes"),
    path("imports/<uuid:batch_id>/pause", pause_import, name="pause_import"),
    path("imports/<uuid:batch_id>/resume", resume_import, name="resume_import"),
    path("audits/", audits, name="audits"),
    path("audits/<uuid:export_id>/", audit, name="audit"),
    path("audits/<uuid:export_id>/progress", audit_progress, name="audit_progress"),
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
    path("calls/<uuid:call_id>/mapping/", mapping, name="mapping"),
    path("calls/<uuid:call_id>/mapping/swap/", swap, name="mapping_swap"),
    path("calls/<uuid:call_id>/mapping/withdraw/", withdraw, name="mapping_withdraw"),
    path("calls/<uuid:call_id>/mapping/send-back/", send_back, name="mapping_send_back"),
    path("calls/<uuid:call_id>/read-again/", read_again, name="read_again"),
    path("role-maps/", role_maps, name="role_maps"),
    path("role-maps/<uuid:map_id>/forget/", forget, name="role_map_forget"),
]

"""Addresses of review: a page's always answers with a page, a fragment's with a fragment."""

from django.urls import URLPattern, path

from review.views.audit import audit, audit_file, audit_progress
from review.views.audits import audits
from review.views.call import call, decide_fact, decide_row
from review.views.calls import calls
from review.views.import_batch import (
    import_batch,
    import_outcomes,
    import_progress,
    pause_import,
    resume_import,
)
from review.views.imports import imports
from review.views.mapping import mapping, send_back, swap, withdraw
from review.views.read_again import read_again
from review.views.role_maps import forget, role_maps

app_name = "review"

urlpatterns: list[URLPattern] = [
    path("", calls, name="calls"),
    path("calls/<uuid:call_id>/", call, name="call"),
    path("calls/<uuid:call_id>/rows/<str:phase>/decide", decide_row, name="decide_row"),
    path("calls/<uuid:call_id>/facts/<str:fact>/decide", decide_fact, name="decide_fact"),
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
    path("calls/<uuid:call_id>/mapping/", mapping, name="mapping"),
    path("calls/<uuid:call_id>/mapping/swap/", swap, name="mapping_swap"),
    path("calls/<uuid:call_id>/mapping/withdraw/", withdraw, name="mapping_withdraw"),
    path("calls/<uuid:call_id>/mapping/send-back/", send_back, name="mapping_send_back"),
    path("calls/<uuid:call_id>/read-again/", read_again, name="read_again"),
    path("role-maps/", role_maps, name="role_maps"),
    path("role-maps/<uuid:map_id>/forget/", forget, name="role_map_forget"),
]

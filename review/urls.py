"""Addresses of review."""

from django.urls import URLPattern, path

from review.views.call import call
from review.views.calls import calls

app_name = "review"

urlpatterns: list[URLPattern] = [
    path("", calls, name="calls"),
    path("calls/<uuid:call_id>/", call, name="call"),
]

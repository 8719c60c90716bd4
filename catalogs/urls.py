"""Addresses of catalogs."""

from django.urls import URLPattern, path

from catalogs.views.catalogs import catalogs
from catalogs.views.document import document
from catalogs.views.version import version

app_name = "catalogs"

urlpatterns: list[URLPattern] = [
    path("", catalogs, name="catalogs"),
    path("<slug:slug>/<str:version>/", version, name="version"),
    path("<slug:slug>/<str:version>/document.yaml", document, name="document"),
]

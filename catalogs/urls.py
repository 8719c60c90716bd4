"""Addresses of catalogs."""

from django.urls import URLPattern

app_name = "catalogs"

urlpatterns: list[URLPattern] = []

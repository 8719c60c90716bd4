"""Addresses of review."""

from django.urls import URLPattern

app_name = "review"

urlpatterns: list[URLPattern] = []

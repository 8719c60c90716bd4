"""Root addresses. Every address needs a sign-in unless its view is marked otherwise."""

from django.urls import URLPattern, URLResolver, include, path

from oipsce_site import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("accounts/", include("allauth.urls")),
    path("catalogs/", include("catalogs.urls")),
    path("", include("review.urls")),
]

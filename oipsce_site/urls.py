"""Root addresses. Every address needs a sign-in unless its view is marked otherwise."""

from django.urls import URLPattern, URLResolver, include, path

from oipsce_site import accounts, health, icons

handler500 = "oipsce_site.failures.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    # No mail is sent from here, and no account rests on an address. First, so that they count.
    path("accounts/password/reset/", accounts.password_reset, name="password_reset"),
    path(
        "accounts/password/reset/<path:rest>", accounts.password_reset, name="password_reset_step"
    ),
    path("accounts/email/", accounts.email, name="no_email"),
    path("accounts/token/", accounts.token, name="token"),
    path("accounts/", include("allauth.urls")),
    path("favicon.ico", icons.favicon, name="favicon"),
    path("", include("oipsce_site.administration.urls")),
    path("catalogs/", include("catalogs.urls")),
    path("", include("review.urls")),
]

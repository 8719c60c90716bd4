"""Root addresses. Every address needs a sign-in unless its view is marked otherwise."""

from allauth.mfa.recovery_codes.views import generate_recovery_codes
from allauth.mfa.totp.views import activate_totp, deactivate_totp
from allauth.mfa.webauthn.views import add_webauthn, remove_webauthn
from django.urls import URLPattern, URLResolver, include, path

from oipsce_site import account_pages, health, icons

handler500 = "oipsce_site.failures.server_error"

# allauth's own pages, whose changes are recorded with them.
_CHANGING_FACTORS = [
    ("totp/activate/", account_pages.recording(activate_totp), "mfa_activate_totp"),
    ("totp/deactivate/", account_pages.recording(deactivate_totp), "mfa_deactivate_totp"),
    ("webauthn/add/", account_pages.recording(add_webauthn), "mfa_add_webauthn"),
    (
        "webauthn/keys/<int:pk>/remove/",
        account_pages.recording(remove_webauthn),
        "mfa_remove_webauthn",
    ),
    (
        "recovery-codes/generate/",
        account_pages.recording(generate_recovery_codes),
        "mfa_generate_recovery_codes",
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    # No mail is sent from here, and no account rests on an address. First, so that they count.
    path("accounts/password/reset/", account_pages.password_reset, name="password_reset"),
    path(
        "accounts/password/reset/<path:rest>",
        account_pages.password_reset,
        name="password_reset_step",
    ),
    path("accounts/email/", account_pages.email, name="no_email"),
    path("accounts/token/", account_pages.token, name="token"),
    path("accounts/login/", account_pages.SignIn.as_view(), name="account_login"),
    path("accounts/sessions/", account_pages.sessions, name="own_sessions"),
    path("accounts/second-factor/", account_pages.second_factor, name="second_factor_due"),
    *(path(f"accounts/2fa/{place}", view, name=name) for place, view, name in _CHANGING_FACTORS),
    path("accounts/", include("allauth.urls")),
    path("favicon.ico", icons.favicon, name="favicon"),
    path("api/v1/", include("review.api.urls")),
    path("", include("oipsce_site.administration.urls")),
    path("catalogs/", include("catalogs.urls")),
    path("", include("review.urls")),
]

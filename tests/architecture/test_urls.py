"""Every address needs a sign-in, or stands in this file's list of public ones."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

# Each is public for a reason: probes have no account, and nobody signs in before signing in.
PUBLIC = {
    "healthz": "a probe asks whether the process lives",
    "favicon": "browsers ask for it before anybody signs in",
    "readyz": "a probe asks whether the site may get traffic",
    "account_login": "the door",
    "password_reset": "says who replaces a forgotten password",
    "password_reset_step": "the same",
    "account_logout": "leaving must work with an expired session",
    "account_signup": "answers that sign-up is closed",
    "account_inactive": "tells a deactivated person why the door stays shut",
    "account_reset_password": "for those who cannot sign in",
    "account_reset_password_done": "the same, second page",
    "account_reset_password_from_key": "the same, from the message",
    "account_reset_password_from_key_done": "the same, last page",
    "account_confirm_email": "followed from a message",
    "account_email_verification_sent": "the page after a sign-up",
    "account_confirm_login_code": "second step of a sign-in",
    "mfa_authenticate": "second step of a sign-in",
    "mfa_trust": "second step of a sign-in",
    "mfa_login_webauthn": "sign-in by passkey",
    # Programs bring a key of their own (review.api.door); what each one opens is the table of
    # tests/integration/api/test_handing_in.py.
    **dict.fromkeys(
        ("calls", "call", "call_events", "running_calls", "running_call"), "asks for a key"
    ),
    **dict.fromkeys(("running_turns", "running_events", "running_end"), "asks for a key"),
    "openapi": "what the API takes, without data: who writes a program may have no account",
    "reference": "the same as a page",
    "root": "nothing is there",
    "nothing": "the same, for programs",
}


def test_every_address_needs_a_sign_in_or_is_listed() -> None:
    open_names = {
        pattern.name or str(pattern.pattern)
        for pattern in _patterns(get_resolver())
        if not getattr(pattern.callback, "login_required", True)
    }
    assert not open_names - set(PUBLIC), "public without a reason: mark them or list them above"


def test_every_address_of_ours_has_a_name() -> None:
    unnamed = [
        str(pattern.pattern)
        for pattern in _patterns(get_resolver())
        if pattern.name is None and not _is_foreign(pattern)
    ]
    assert not unnamed, f"templates cannot link to these: {unnamed}"


def test_the_sign_in_middleware_is_on() -> None:
    from django.conf import settings  # noqa: PLC0415 - read after the test settings are in place

    assert "oipsce_site.middleware.SignInMiddleware" in settings.MIDDLEWARE


def _is_foreign(pattern: URLPattern) -> bool:
    module = getattr(pattern.callback, "__module__", "")
    return module.split(".")[0] not in {"oipsce_site", "catalogs", "review"}


def _patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from _patterns(entry)
        else:
            yield entry

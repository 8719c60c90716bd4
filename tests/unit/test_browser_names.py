"""How the page of one's own sessions calls a browser."""

import pytest

from oipsce_site.administration.presenters.sessions import say_browser

_OLD = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
_MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 (KHTML, like Gecko)"
_PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"
_ANDROID = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (f"{_OLD} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0", "Edge on Windows"),
        (f"{_OLD} Chrome/131.0.0.0 Safari/537.36", "Chrome on Windows"),
        (f"{_ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36", "Chrome on Android"),
        (f"{_MAC} Version/18.1 Safari/605.1.15", "Safari on Mac"),
        (f"{_PHONE} CriOS/131.0 Mobile/15E148 Safari/604.1", "Chrome on iPhone"),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
            "Firefox on Linux",
        ),
        ("curl/8.11.0", "curl/8.11.0"),
        ("Mozilla/5.0 (Unheard; of)", "Mozilla/5.0 (Unheard; of)"),
        ("", ""),
    ],
)
def test_a_browser_is_called_as_people_call_it(agent: str, said: str) -> None:
    assert say_browser(agent) == said

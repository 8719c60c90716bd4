"""Ask this machine's own site how it is: python -m oipsce_site.probe [healthz|readyz]

For health checks of containers and service managers. It names a host that the site answers to, as
a proxy would. Exit codes: 0 well, 1 not; what the site said is printed.
"""

import http.client
import sys
from collections.abc import Sequence

from oipsce_site import environment

_PATIENCE_SECONDS = 5


def main(words: Sequence[str]) -> int:
    """Ask one of the two addresses and return the exit code."""
    [page] = words or ["healthz"]
    _, _, port = environment.text("OIPSCE_BIND", "127.0.0.1:8000").rpartition(":")
    host = (environment.names("ALLOWED_HOSTS") or ["localhost"])[0].removeprefix(".")
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=_PATIENCE_SECONDS)
    try:
        connection.request("GET", f"/{page}", headers={"Host": host})
        answer = connection.getresponse()
        said = answer.read(4096).decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        sys.stdout.write(f"{page}: no answer on port {port} ({type(error).__name__})\n")
        return 1
    finally:
        connection.close()
    sys.stdout.write(f"{page}: {answer.status} {said}\n")
    return 0 if answer.status == http.client.OK else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

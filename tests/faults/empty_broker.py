"""Empty the broker: python -m tests.faults.empty_broker."""

from __future__ import annotations

import redis

from oipsce_site.services import layout
from tests.faults.crew import PROFILE

if __name__ == "__main__":
    redis.Redis(unix_socket_path=str(layout.profile(PROFILE).valkey_socket)).flushall()

"""How gunicorn serves the site.

    gunicorn --config python:oipsce_site.gunicorn_conf oipsce_site.wsgi

The names are gunicorn's settings. It listens on this machine only; a proxy that speaks TLS stands
in front (docs/operations.md).
"""

from oipsce_site import environment
from oipsce_site.garbage import collect_seldom
from oipsce_site.logs import configuration

bind = environment.text("OIPSCE_BIND", "127.0.0.1:8000")
# A page is 40 ms of work and 20 ms of waiting for the database: threads beyond a few only queue.
workers = environment.integer("OIPSCE_WORKERS", 2)
threads = environment.integer("OIPSCE_THREADS", 4)
worker_class = "gthread"
# Longer than the slowest page on the largest call; an upload is read by the proxy first.
timeout = 60
graceful_timeout = 30
keepalive = 5
# A slow leak in a library never grows old.
max_requests = 5000
max_requests_jitter = 500
# Heartbeats in memory: on a busy disk a worker would be taken for dead.
worker_tmp_dir = "/dev/shm"  # noqa: S108 - gunicorn makes an unlinked file there
control_socket_disable = True

# The site writes one line per request itself, without the query (middleware.py).
accesslog = None
logconfig_dict = configuration(environment.text("OIPSCE_LOG_LEVEL", "INFO"))


def post_worker_init(_worker: object) -> None:
    """Look for cyclic garbage seldom, once the site is loaded."""
    collect_seldom()

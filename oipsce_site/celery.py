"""The Celery app: one queue, JSON; worker: celery -A oipsce_site.celery worker.

It chooses no settings: wsgi means production and manage.py development, and both import this
module, so a default here would decide for both.
"""

from celery import Celery, bootsteps
from celery.worker import WorkController
from celery.worker.consumer import Consumer
from kombu.asynchronous.timer import Entry
from kombu.exceptions import OperationalError

from oipsce_site.garbage import collect_seldom

SWEEP = "review.sweep"
SWEEP_SECONDS = 10


class Sweeper(bootsteps.StartStopStep):
    """Rings for the sweep every ten seconds, in each worker, so that no scheduler need be run.

    It starts anew with each connection to the broker; a message that finds no place in its ten
    seconds is dropped, so sweeps never pile up behind long work.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, parent: Consumer, **options: object) -> None:
        super().__init__(parent, **options)
        self._entry: Entry | None = None

    def start(self, parent: Consumer) -> None:
        """Ring at once and then by the worker's own clock."""
        self._ring()
        self._entry = parent.timer.call_repeatedly(SWEEP_SECONDS, self._ring)

    def stop(self, parent: Consumer) -> None:
        """Stop ringing: the connection is gone, or the worker ends."""
        if self._entry is not None:
            self._entry.cancel()
            self._entry = None

    def _ring(self) -> None:
        try:
            app.send_task(SWEEP, expires=SWEEP_SECONDS, retry=False)
        except (OperationalError, OSError):
            # The worker says so itself, and starts this step again when the broker is back.
            return


class Collector(bootsteps.Step):
    """Lets Python look for cyclic garbage seldom, and never among what every worker has loaded.

    All steps are made before the first one starts, so the processes of the pool inherit it.
    """

    def __init__(self, parent: WorkController, **options: object) -> None:
        super().__init__(parent, **options)
        collect_seldom()


app = Celery("oipsce_site")
# By name, so that importing this module needs no settings yet.
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(Collector)
app.steps["consumer"].add(Sweeper)

"""The Celery app: one queue, JSON, ids only; worker: celery -A oipsce_site.celery worker.

It chooses no settings: wsgi means production and manage.py development, and both import this
module, so a default here would decide for both.
"""

from celery import Celery

app = Celery("oipsce_site")
# By name, so that importing this module needs no settings yet.
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

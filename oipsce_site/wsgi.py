"""Server entry: gunicorn oipsce_site.wsgi."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import resolve

from oipsce_site.celery import app as celery_app

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oipsce_site.settings.prod")

# Importing the Celery app makes it current, so that views enqueue to our broker.
__all__ = ["application", "celery_app"]

application = get_wsgi_application()

# Every view is imported by this, and not while the first person waits for a page.
resolve("/healthz")

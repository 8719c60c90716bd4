#!/usr/bin/env python3
"""Django's command line for this site."""

import os
import sys

from django.core.management import execute_from_command_line

from oipsce_site.celery import app as celery_app

# Importing the Celery app makes it current, so that commands enqueue to our broker.
__all__ = ["celery_app", "main"]


def main() -> None:
    """Run one management command with the development settings unless told otherwise."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oipsce_site.settings.dev")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

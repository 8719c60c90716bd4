#!/usr/bin/env python3
"""Django's command line for this site.

Django ends with 1 for a command that does not exist and for a crash before the command starts;
`evaluate_call` ends with 1 for a call that fails. So that nobody mistakes one for the other, the
first ends with 3 here and the second with 4.
"""

import os
import sys
import traceback

from django.core.management import BaseCommand, ManagementUtility
from django.db import OperationalError

from oipsce_site.celery import app as celery_app

# Importing the Celery app makes it current, so that commands enqueue to our broker.
__all__ = ["celery_app", "main"]

USAGE, INTERNAL = 3, 4


class _CommandLine(ManagementUtility):
    """Django's command line with our exit code for a command that does not exist."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """Load a command; an unknown name ends the process as bad usage."""
        try:
            return super().fetch_command(subcommand)
        except SystemExit:
            sys.exit(USAGE)


def main() -> None:
    """Run one management command with the development settings unless told otherwise."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "oipsce_site.settings.dev")
    try:
        _CommandLine(sys.argv).execute()
    except OperationalError as error:
        sys.stderr.write(f"The database cannot be reached, are the services running? {error}\n")
        sys.exit(INTERNAL)
    except Exception:
        traceback.print_exc()
        sys.exit(INTERNAL)


if __name__ == "__main__":
    main()

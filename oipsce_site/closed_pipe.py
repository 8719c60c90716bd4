"""What a command does when its reader has gone, as in ``manage.py verify_chains | head``."""

from __future__ import annotations

import os
import sys


def let_reader_go() -> None:
    """Send the rest of the output nowhere: neither this write nor the flush at exit fails again.

    Call it once a BrokenPipeError has come. What the command does, and its exit code, go on.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.__stdout__.fileno() if sys.__stdout__ else 1)
    finally:
        os.close(nowhere)

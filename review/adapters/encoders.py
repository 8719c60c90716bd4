"""The model that ranks turns by wording, by the name that the settings give (docs/adr/0045).

Nothing imports that module by itself: its packages are an extra that most installations lack.
"""

from __future__ import annotations

from functools import cache

from django.utils.module_loading import import_string

from review.core.cascade.candidates import Encoder


@cache
def encoder_named(name: str) -> Encoder:
    """Return the encoder of a dotted name, loaded once in a process. Raises ImportError."""
    made: Encoder = import_string(name)()
    return made

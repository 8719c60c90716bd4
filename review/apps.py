"""Application settings of review; nothing happens on start."""

from django.apps import AppConfig


class ReviewConfig(AppConfig):
    """The review application."""

    name = "review"

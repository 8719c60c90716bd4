"""Application settings of catalogs; nothing happens on start."""

from django.apps import AppConfig


class CatalogsConfig(AppConfig):
    """The catalogs application."""

    name = "catalogs"

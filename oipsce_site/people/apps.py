"""Application configuration of the people package."""

from __future__ import annotations

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Users, sites and memberships (`AUTH_USER_MODEL = "people.User"`)."""

    name = "oipsce_site.people"
    label = "people"
    verbose_name = "People"
    default_auto_field = "django.db.models.BigAutoField"

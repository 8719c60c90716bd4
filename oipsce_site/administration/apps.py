"""Application configuration of administration. It has no tables: those lie in people."""

from __future__ import annotations

from django.apps import AppConfig


class AdministrationConfig(AppConfig):
    """Pages, actions and the command for administrators."""

    name = "oipsce_site.administration"
    label = "administration"
    verbose_name = "Administration"

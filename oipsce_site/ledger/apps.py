"""Application configuration of the decision log."""

from __future__ import annotations

from django.apps import AppConfig


class LedgerConfig(AppConfig):
    """The decision log; its one table is unmanaged and lies in schema `audit`."""

    name = "oipsce_site.ledger"
    label = "ledger"
    verbose_name = "Decision log"

"""Verify every chain of the log and print what is wrong: python -m tests.faults.verify."""

from __future__ import annotations

import sys

import django

django.setup()

from oipsce_site.ledger.queries import chain_ids, verify  # noqa: E402

if __name__ == "__main__":
    faults = [chain for chain in chain_ids() if verify(chain)]
    sys.stdout.write("".join(f"broken: {chain}\n" for chain in faults) or "whole\n")

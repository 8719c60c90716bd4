"""Who works here: users, sites, roles and the memberships that join them.

This package is ground: it knows nothing of calls, catalogs or the ledger. Changing a role is an
audited act, so the functions that grant and revoke live above the ledger; here are the tables,
their constraints and the questions one may ask.
"""

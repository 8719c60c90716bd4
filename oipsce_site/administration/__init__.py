"""People and sites, as administrators see and change them.

Accounts, roles and sites are acts of administration: each is recorded in the organisation's chain.
Nothing here knows a call or a catalog, and no administrator reads one.
"""

"""The acts of administration: each one transaction, with its entry in the organisation's chain."""

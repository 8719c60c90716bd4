"""The decision log: one hash chain per call, catalog, site and organisation, insert-only.

Write with `ledger.record.record`, read with `ledger.queries`; nothing else touches the table.
The pure part (canonical bytes, entry hash, chain verification) is `ledger.core`.
"""

"""The embedded PostgreSQL and Valkey: same engines in demo, tests and production.

Nothing starts on import. `layout` knows the paths, `postgres` and `valkey` one engine each,
`engines` both together, `lease` who may stop them; `python -m oipsce_site.services` is the
command line.
"""

"""The cascade, rule by rule, on calls and catalogs small enough to read."""

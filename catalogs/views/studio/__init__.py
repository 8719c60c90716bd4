"""The pages on which catalogs are written and reviewed; `answering` is what they share."""

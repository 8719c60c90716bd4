"""catalogs"""

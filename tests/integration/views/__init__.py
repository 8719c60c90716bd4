"""Every page, asked for as every kind of person."""

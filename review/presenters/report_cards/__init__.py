"""Report cards as pages: what is asked for, and the tables of figures."""

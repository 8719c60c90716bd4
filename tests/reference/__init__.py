"""Second opinions, written from the method page alone: nothing here imports the product."""

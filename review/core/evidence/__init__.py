"""Where words and events of a call match a catalog: spans, hits, and the items they speak of."""

"""Frozen values that the pages of review are drawn from: pure functions of core values and lines.

A template decides nothing: every mark, word, class name and coordinate is made here. No markup is
made here: text stays text, and the template engine escapes it.
"""

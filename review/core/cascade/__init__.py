"""The pre-fill: anchors set starts, rules fill finishes and facts, triage flags what a person must
look at.
"""

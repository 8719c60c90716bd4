"""The verifier: whether a signed audit is what it claims, told by a stranger who trusts one key.

`verify_audit` in `bundle` does all of it; `program` is the command line. It also runs as one file
on machines that have nothing of ours (`manage.py write_standalone verifier`).
"""

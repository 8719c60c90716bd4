"""Signing keys of the installation and what they sign: envelopes, checkpoints, the keyring.

`signing.core` is pure and also runs inside the stand-alone verifier and witness; `signing.store`
keeps the private keys in files.
"""

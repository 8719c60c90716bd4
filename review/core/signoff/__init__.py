"""A sign-off: the record that one person signs for one review of one call, and its signature.

`content` says what is signed, `record` who signs it and what it means, `passkey` verifies a
signature by the signer's own key. The record's exact bytes are stored and exported; its digest is
what the passkey signs, what the decision log keeps, and what every printed manifest shows.

Modules are imported from, not this package: they also run inside the stand-alone verifier.
"""

"""The pages of compliance officers; auditors read them."""

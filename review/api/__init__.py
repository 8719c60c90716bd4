"""The API for programs: clients with keys hand calls in and ask for verdicts (docs/api.md)."""

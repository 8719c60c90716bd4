"""What is killed, and what must still be true after it. Run as a pytest call of its own."""

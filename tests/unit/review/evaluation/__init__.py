"""The record of an evaluation."""

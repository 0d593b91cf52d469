"""Predictions that somebody hands in: looked at, confirmed, filed and marked."""

"""Sheets that people filled in: reading them, checking every row, and recording the answers."""

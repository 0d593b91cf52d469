"""Logs of other harnesses: one reader for each tool, and one way into the study for all."""

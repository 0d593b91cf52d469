"""Marking room: applies scorers and regimes to predictions.  Out: verdicts and their matrix."""

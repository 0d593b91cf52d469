"""Scorers room: the scoring rules, pure.  In: an item and a prediction.  Out: a verdict."""

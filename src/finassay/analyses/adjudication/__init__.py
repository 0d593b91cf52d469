"""Samples for people to label: what to draw, how far it is, and what it says."""

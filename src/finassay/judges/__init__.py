"""Judges room: prompts that ask a model to mark, as derived items, and what its votes add up to."""

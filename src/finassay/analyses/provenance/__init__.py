"""Provenance: which rule, which files and which slips produced the numbers of a study."""

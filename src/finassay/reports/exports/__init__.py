"""Exports: what a study holds, in the formats of other tools."""

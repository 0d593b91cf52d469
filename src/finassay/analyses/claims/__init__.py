"""Declared claims.  In: a file of claims, a study.  Out: under which rules each of them holds."""

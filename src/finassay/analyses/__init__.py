"""Analyses room: what the verdicts say.  In: matrices.  Out: frozen results with n and policy."""

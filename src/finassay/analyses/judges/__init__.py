"""Reliability of judges.  In: verdicts of judges and people.  Out: how far judges can be used."""

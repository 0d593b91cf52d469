"""The condition of a run.  In: replies, manifests, verdicts.  Out: what it does to the scores."""

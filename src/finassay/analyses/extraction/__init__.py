"""How much of a label score is the extraction rule: candidate sets, intervals, certificates."""

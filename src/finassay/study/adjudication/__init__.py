"""Samples for people to label: tasks, draws, cells of sheets, and the ledger of answers."""

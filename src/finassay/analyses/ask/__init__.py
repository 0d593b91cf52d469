"""Analyses of ask-or-proceed replies: metrics, intervals, comparisons, costs, printed tables."""

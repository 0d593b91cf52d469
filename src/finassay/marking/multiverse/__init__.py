"""Many rules at once: declared grids, marked in one pass that shares what rules have in common."""

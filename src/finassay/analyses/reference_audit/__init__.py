"""Are the references right?  In: references of one or several sources.  Out: findings."""

"""Whether this machine and a study are fit for work.  In: what is there.  Out: findings."""

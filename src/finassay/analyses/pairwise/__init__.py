"""Judges that compare two answers.  In: decisions in both orders.  Out: how far they hold."""

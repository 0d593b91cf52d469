"""Which system for which operation.  In: scores by family.  Out: what a broad score would cost."""

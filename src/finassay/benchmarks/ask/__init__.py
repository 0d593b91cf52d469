"""Ask or proceed: states of a review, replayed without what came later."""

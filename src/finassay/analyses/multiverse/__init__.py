"""What holds under every rule of a grid, what depends on the rule, and on which choice of it."""

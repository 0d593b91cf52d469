"""What could be drawn for labelling: predictions, pairs and items with what was said of them."""

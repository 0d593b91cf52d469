"""Rules that read a class label out of a reply."""

"""HTML pages, one module each."""

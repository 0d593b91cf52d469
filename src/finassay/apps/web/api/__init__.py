"""JSON under /api, one module each."""

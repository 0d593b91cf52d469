"""Benchmarks room: items, answer contracts and loaders; the bundled benchmark."""

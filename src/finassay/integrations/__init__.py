"""Integrations room: baseline systems and other harnesses."""

"""Runs room: predictions, from models or from files that others wrote."""

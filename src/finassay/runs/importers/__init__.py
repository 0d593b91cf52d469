"""Importers: one module for each shape of file that predictions come in."""

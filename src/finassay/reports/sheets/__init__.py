"""Sheets for people who label: CSV always, XLSX where its package is installed."""

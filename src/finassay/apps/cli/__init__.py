"""The command line: parse, call one library function, show."""

from finassay.apps.cli.app import main

__all__ = ["main"]

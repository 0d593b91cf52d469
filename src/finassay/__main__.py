"""Run the command line: `python -m finassay`."""

from finassay.apps.cli import main

if __name__ == "__main__":
    main()

"""Study room: the only code that reads and writes a study on disk."""

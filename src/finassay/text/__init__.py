"""Text room: pure functions that read normal forms and numbers out of text."""

"""Apps room: the command line (and later the web): parse, call one library function, show."""

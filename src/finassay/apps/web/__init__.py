"""The web application: thin pages and a JSON API over a study."""

"""Reports room: results as tables, figures, HTML, Markdown, LaTeX and JSON."""

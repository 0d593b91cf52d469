"""Interactive charts.  In: results of analyses.  Out: records with Vega-Lite specifications."""

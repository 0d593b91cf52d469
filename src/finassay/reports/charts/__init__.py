"""Interactive charts: Vega-Lite specifications with words and the tables behind them."""

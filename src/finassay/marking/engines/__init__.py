"""Where marking runs: in this process, or on the workers of a Ray cluster."""

from finassay.marking.engines.base import LOCAL, Engine, in_order
from finassay.marking.engines.opening import ENGINES, open_engine

__all__ = ["ENGINES", "LOCAL", "Engine", "in_order", "open_engine"]

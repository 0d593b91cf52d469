"""What Inspect loads of this package.  In: nothing.  Out: models, scorers and tasks, registered.

The entry point `finassay` of the group `inspect_ai` names this module, so that `finassay/...` is
known to every command of Inspect without an import.
"""

from __future__ import annotations

from inspect_ai.model import ModelAPI, modelapi

from finassay.integrations.inspect_scorers import mark, register_all
from finassay.integrations.inspect_tasks import reglabels, regqa


@modelapi(name="finassay")
def finassay() -> type[ModelAPI]:
    """Return the provider of models that answer without a network."""
    from finassay.integrations.inspect_models import WithoutModel  # noqa: PLC0415

    return WithoutModel


SCORERS = register_all()
"""Every installed rule as a scorer of Inspect, by name."""

__all__ = ["SCORERS", "finassay", "mark", "reglabels", "regqa"]

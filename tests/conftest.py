"""How many examples a test draws that does not say so itself."""

from __future__ import annotations

from hypothesis import settings

_PARENT = settings.get_profile(settings.get_current_profile_name())

settings.register_profile("quick", _PARENT, max_examples=40)
settings.register_profile("thorough", _PARENT, max_examples=1_000)
settings.load_profile("quick")

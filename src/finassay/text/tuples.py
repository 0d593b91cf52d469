"""Named tuples made fast.  In: a class of named tuples and its fields.  Out: one of them."""

from __future__ import annotations

new_tuple = tuple.__new__
"""Makes a named tuple without the Python function that its class goes through.

All fields have to be given, in order: nothing checks it, so only hot loops use it.
"""

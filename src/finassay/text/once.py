"""Parts that are read when they are first asked for.  In: how to read one.  Out: an attribute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, overload

OwnerT = TypeVar("OwnerT")
PartT = TypeVar("PartT")


class ReadOnce(Generic[OwnerT, PartT]):
    """An attribute that is read when it is first asked for, and kept.

    What `functools.cached_property` does, without the lock that it takes up to Python 3.11: the
    parts of a text are the same whoever reads them first.
    """

    def __init__(self, read: Callable[[OwnerT], PartT]) -> None:
        self._read = read
        self._name = read.__name__
        self.__doc__ = read.__doc__

    @overload
    def __get__(self, owner: None, kind: type[OwnerT]) -> ReadOnce[OwnerT, PartT]: ...

    @overload
    def __get__(self, owner: OwnerT, kind: type[OwnerT]) -> PartT: ...

    def __get__(self, owner: OwnerT | None, kind: type[OwnerT]) -> PartT | ReadOnce[OwnerT, PartT]:
        """Return the part, read now; from now on the owner holds it itself."""
        if owner is None:
            return self
        part = owner.__dict__[self._name] = self._read(owner)
        return part

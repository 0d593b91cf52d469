"""By which names a server may be addressed.  In: a Host header.  Out: whether it is one of ours.

A page of another site can let its own name lead to this machine (DNS rebinding) and then read what
it likes; its name gives it away.  An address cannot be led elsewhere, so addresses pass.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection

LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain"})


def host_name(header: str) -> str:
    """Return the name in a Host header, without the port, in lower case and without a final dot."""
    name = header.strip().lower()
    if name.startswith("["):
        inside, bracket, rest = name[1:].partition("]")
        return inside if bracket and (not rest or rest.startswith(":")) else ""
    name, _, port = name.partition(":")
    return name.removesuffix(".") if not port or port.isdigit() else ""


def is_loopback(name: str) -> bool:
    """Return whether a name or address is of this machine alone."""
    if name in LOOPBACK_NAMES or name.endswith(".localhost"):
        return True
    found = _address(name)
    return found is not None and found.is_loopback


def may_be_addressed(header: str, allowed: Collection[str]) -> bool:
    """Return whether a server may be addressed as a Host header says.

    Args:
        header: of the request.
        allowed: names beside the loopback names and all addresses; in lower case.
    """
    name = host_name(header)
    return bool(name) and (is_loopback(name) or _address(name) is not None or name in allowed)


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return None

"""The list of fault cases: what is done to a study, and what must hold after.

Each case is a function of a rig; what it claims stands in its entry and is printed in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fault_rig import Rig

Needs = Literal["nothing", "children", "mount", "server", "compiler"]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One row of the table of faults.

    Attributes:
        fault: what happens.
        during: the command or step that it happens to.
        disk: what is on the disk after, which the case proves.
        advice: what to do.
        run: does it; notes in the rig what did not hold, and what was said.
        needs: what the machine must have for it.
        is_quick: whether it belongs to the short form.
    """

    fault: str
    during: str
    disk: str
    advice: str
    run: Callable[[Rig, int], None]
    needs: Needs = "nothing"
    is_quick: bool = False

    @property
    def name(self) -> str:
        """Fault and step in one."""
        return f"{self.fault}: {self.during}"


ALL_OR_NOTHING = "every partition as before, or whole; the check is clean"
AS_BEFORE = "as before"

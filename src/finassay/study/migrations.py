"""The way from older layouts to this one.  In: a study directory.  Out: the steps taken.

A migration has a name, goes one way, and moves a study from one schema version to the next.
Versions: 1 is the first, so there is none yet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from finassay.errors import StudyError
from finassay.study.config import CONFIG_NAME, read_config, write_config
from finassay.study.nested import JUDGING
from finassay.study.schemas import SCHEMA_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step between layouts.

    Attributes:
        name: what it does, in a few words with hyphens.
        from_version: schema version that it starts from; it ends at the next.
        apply: changes the tables in the study directory; must be safe to apply again after a
            kill, because the version is written only when it is through.
    """

    name: str
    from_version: int
    apply: Callable[[Path], None]


MIGRATIONS: tuple[Migration, ...] = ()
"""Every step that this version of Finassay knows, oldest first."""


def migrate(
    path: str | Path,
    *,
    migrations: Sequence[Migration] = MIGRATIONS,
    to_version: int = SCHEMA_VERSION,
) -> tuple[str, ...]:
    """Bring a study to a schema version and return the names of the steps taken.

    study.toml names the new version after each step, so a killed migration resumes where it was.
    The study of what judges were asked goes with it.

    Raises:
        NoStudyError: there is no study at the path.
        StudyError: the study is newer than `to_version`, or a step is missing.
    """
    root = Path(path)
    config = read_config(root)
    if config.schema_version > to_version:
        raise StudyError(
            f"the study at {root} has schema version {config.schema_version}; expected "
            f"{to_version} or older; migrations go one way; install a newer Finassay"
        )
    steps = {step.from_version: step for step in migrations}
    taken: list[str] = []
    while config.schema_version < to_version:
        step = steps.get(config.schema_version)
        if step is None:
            raise StudyError(
                f"the study at {root} has schema version {config.schema_version} and no step "
                f"leads on from it to {to_version}; expected one of "
                f"{sorted(steps)}; import the study's sources again"
            )
        step.apply(root)
        config = replace(config, schema_version=config.schema_version + 1)
        write_config(root, config)
        taken.append(step.name)
    if (root / JUDGING / CONFIG_NAME).exists():
        inner = migrate(root / JUDGING, migrations=migrations, to_version=to_version)
        taken += [f"{JUDGING}: {name}" for name in inner]
    return tuple(taken)

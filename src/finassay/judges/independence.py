"""Whether a judge stands apart from what it judges.  In: systems.  Out: what they share.

Two systems share a model when their models have one name, dates and providers aside; they share a
family when a lineage is named in both.  A family that the study declares wins over what names say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from finassay.records import SystemSpec

SELF_JUDGED = "self_judged"
"""Flag of a verdict on an answer by the judge's own model."""

SAME_FAMILY = "same_family"
"""Flag of a verdict on an answer by a model of the judge's family."""

_LINEAGES: Mapping[str, tuple[str, ...]] = {
    "claude": ("claude",),
    "command": ("command", "cohere", "aya"),
    "deepseek": ("deepseek",),
    "ernie": ("ernie",),
    "falcon": ("falcon",),
    "gemini": ("gemini", "gemma", "palm"),
    "glm": ("glm", "chatglm"),
    "gpt": ("gpt", "chatgpt", "o1", "o3", "o4", "davinci"),
    "granite": ("granite",),
    "grok": ("grok",),
    "hunyuan": ("hunyuan",),
    "internlm": ("internlm",),
    "jamba": ("jamba",),
    "kimi": ("kimi", "moonshot"),
    "llama": ("llama", "vicuna", "alpaca"),
    "minimax": ("minimax",),
    "mistral": ("mistral", "mixtral", "ministral", "magistral", "codestral"),
    "nemotron": ("nemotron",),
    "nova": ("nova",),
    "olmo": ("olmo",),
    "phi": ("phi",),
    "qwen": ("qwen", "qwq"),
    "smollm": ("smollm",),
    "yi": ("yi",),
}
"""Words of model names by lineage: models that were trained from, or along with, one another."""

_WORD = re.compile(r"[a-z]+")
_NAMED = re.compile(r"[a-z]+\d?")
_DATE = re.compile(r"[-@:_.]?(?:20\d{2}[-_.]?(?:[01]\d[-_.]?)?(?:[0-3]\d)?|latest|preview)\Z")
_MARKS = re.compile(r"[\s_:.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Independence:
    """How a judge stands to the systems that it judges.

    Attributes:
        judge: its system id.
        families: its families; () where nothing tells them.
        own: systems of its own model.
        kin: other systems of one of its families.
        unknown: systems of which no family is known.
    """

    judge: str
    families: tuple[str, ...]
    own: tuple[str, ...]
    kin: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def is_candidate(self) -> bool:
        """Whether the judge's own model is among the judged systems."""
        return bool(self.own)

    @property
    def is_independent(self) -> bool:
        """Whether the judge shares no model and no family, and all families are known."""
        return bool(self.families) and not (self.own or self.kin or self.unknown)

    def flags_for(self, system_id: str) -> tuple[str, ...]:
        """Return the flags of a verdict of this judge on an answer of a system."""
        if system_id in self.own:
            return (SELF_JUDGED,)
        return (SAME_FAMILY,) if system_id in self.kin else ()

    def leaves_out(self, *system_ids: str) -> bool:
        """Return whether a comparison of these systems may not use verdicts of this judge.

        A judge takes no part in comparisons with its own model: not on its own answers, and not on
        those that they are compared with.
        """
        return any(system_id in self.own for system_id in system_ids)


def independence(judge: SystemSpec, judged: Sequence[SystemSpec]) -> Independence:
    """Return how a judge stands to the systems that it judges; people have no family."""
    mine = families_of(judge)
    others = [one for one in judged if one.kind == "model"]
    own = [one for one in others if is_same_model(judge, one)]
    rest = [one for one in others if one not in own]
    return Independence(
        judge=judge.system_id,
        families=tuple(sorted(mine)),
        own=tuple(one.system_id for one in own),
        kin=tuple(one.system_id for one in rest if mine & families_of(one)),
        unknown=tuple(one.system_id for one in rest if not families_of(one)),
    )


def families_of(spec: SystemSpec) -> frozenset[str]:
    """Return the families of a system's model: what is declared, else the lineages in its name.

    A model that was distilled from another has two.
    """
    if spec.model_family.strip():
        return frozenset({_canonical(spec.model_family)})
    return _lineages(spec.model or spec.name)


def _canonical(declared: str) -> str:
    """Return a declared family under the name that is read from models of it."""
    known = _lineages(declared)
    return next(iter(known)) if len(known) == 1 else declared.strip().lower()


@lru_cache(maxsize=1024)
def _lineages(name: str) -> frozenset[str]:
    base = name.lower().rsplit("/", 1)[-1]
    words = {*_WORD.findall(base), *_NAMED.findall(base)}
    return frozenset(
        lineage for lineage, said in _LINEAGES.items() if any(_is_said(w, words) for w in said)
    )


def _is_said(word: str, words: Iterable[str]) -> bool:
    # Short names stand alone, or "yi" would stand in "playing"; long ones may be glued to others.
    return any(one == word or (len(word) > 3 and word in one) for one in words)


def is_same_model(left: SystemSpec, right: SystemSpec) -> bool:
    """Return whether two systems are one model: by its name, providers and dates aside."""
    mine, other = _model(left), _model(right)
    return bool(mine) and mine == other


def _model(spec: SystemSpec) -> str:
    base = (spec.model or spec.name).lower().rsplit("/", 1)[-1]
    return _MARKS.sub("-", _DATE.sub("", base)).strip("-")


def names_itself(text: str, spec: SystemSpec) -> bool:
    """Return whether an answer names the system that gave it, so that a judge may know it."""
    told = _MARKS.sub(" ", text.lower())
    names = {_MARKS.sub(" ", name.lower()).strip() for name in (spec.name, _model(spec))}
    return any(len(name) > 2 and re.search(rf"\b{re.escape(name)}\b", told) for name in names)

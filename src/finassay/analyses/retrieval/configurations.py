"""The configurations of an ablation.  In: names.  Out: what each is built and searched with.

Each differs from "hybrid", which is what an index does by default, in one thing that its name
says; "bm25-plain" differs from "bm25" in its tokeniser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from finassay.errors import UnknownNameError, UsageError
from finassay.retrieval import ChunkSettings, IndexSettings, SearchSettings
from finassay.retrieval.embedders import NO_EMBEDDER

HYBRID = "hybrid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """One way to build and search an index.

    Attributes:
        name: unique in an ablation.
        what: what is different, in words.
        index: what the index is built with.
        search: how it is searched.
    """

    name: str
    what: str
    index: IndexSettings = field(default_factory=IndexSettings)
    search: SearchSettings = field(default_factory=SearchSettings)

    @property
    def needs_embedder(self) -> bool:
        """Whether a query is embedded."""
        return self.search.mode != "lexical"


_LEXICAL = SearchSettings(mode="lexical", identifiers=0)
_BARE = IndexSettings(embedder=NO_EMBEDDER)

CONFIGURATIONS: tuple[Configuration, ...] = (
    Configuration(name=HYBRID, what="dense, BM25 and exact identifiers joined: the default"),
    Configuration(
        name="dense", what="embeddings alone", search=SearchSettings(mode="dense", identifiers=0)
    ),
    Configuration(name="bm25", what="BM25 alone", index=_BARE, search=_LEXICAL),
    Configuration(
        name="bm25-identifiers",
        what="BM25 and exact identifiers, without embeddings",
        index=_BARE,
        search=SearchSettings(mode="lexical"),
    ),
    Configuration(
        name="small-chunks",
        what="chunks of 800 characters",
        index=IndexSettings(chunks=ChunkSettings(size=800)),
    ),
    Configuration(
        name="large-chunks",
        what="chunks of 2,400 characters",
        index=IndexSettings(chunks=ChunkSettings(size=2400)),
    ),
    Configuration(
        name="fusion-10", what="rankings joined with k = 10", search=SearchSettings(fusion_k=10)
    ),
    Configuration(
        name="no-boost",
        what="no ranking by exact identifiers",
        search=SearchSettings(identifiers=0),
    ),
    Configuration(
        name="plain-tokeniser",
        what="words alone, no identifiers",
        index=IndexSettings(tokeniser="plain"),
    ),
    Configuration(
        name="bm25-plain",
        what="BM25 alone, words alone",
        index=replace(_BARE, tokeniser="plain"),
        search=_LEXICAL,
    ),
)

PAIRS: tuple[tuple[str, str], ...] = (
    *((HYBRID, one.name) for one in CONFIGURATIONS if one.name != HYBRID),
    ("bm25", "bm25-plain"),
)
"""The comparisons that are declared: the default with all others, and the tokenisers alone."""


def chosen(names: Sequence[str] = (), *, embedder: str | None = None) -> list[Configuration]:
    """Return configurations by name, in the order of `CONFIGURATIONS`; all without a name.

    Args:
        names: some of them; empty for all that the embedder allows.
        embedder: the embedding model of those that use one; "none" leaves BM25 alone.

    Raises:
        UnknownNameError: there is no such configuration.
        UsageError: one that was named needs an embedder, and there is none.
    """
    known = [one.name for one in CONFIGURATIONS]
    for name in names:
        if name not in known:
            raise UnknownNameError(f"no configuration {name!r}; choose from {', '.join(known)}")
    found = [one for one in CONFIGURATIONS if not names or one.name in names]
    if embedder == NO_EMBEDDER:
        unable = [one.name for one in found if one.needs_embedder]
        if names and unable:
            raise UsageError(
                f"the configurations {', '.join(unable)} embed queries, and the embedder is "
                f"{NO_EMBEDDER!r}; name an embedder, or leave them out"
            )
        return [one for one in found if not one.needs_embedder]
    if embedder is None:
        return found
    return [
        replace(one, index=replace(one.index, embedder=embedder)) if one.needs_embedder else one
        for one in found
    ]

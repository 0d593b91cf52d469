"""Where items come from.  In: items.  Out: items a document, and clusters of documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from finassay.analyses.kernels.evidence import components
from finassay.analyses.results_items import DocumentCluster, DocumentProvenance
from finassay.records import Item

METHOD = (
    "connected components of a graph whose nodes are documents and whose edges are items that "
    "rest on two or more; an item counts once for each of its documents, once for its cluster"
)


def document_provenance(items: Sequence[Item]) -> DocumentProvenance:
    """Return how items spread over source documents, and which documents hang together.

    Items of one cluster are not independent draws: a clustered interval or test resamples
    clusters.
    """
    named = [item for item in items if item.documents]
    documents = list(dict.fromkeys(name for item in named for name in item.documents))
    at = {name: i for i, name in enumerate(documents)}
    edges = [(at[item.documents[0]], at[other]) for item in named for other in item.documents[1:]]
    roots = components(len(documents), edges).tolist()
    counts = Counter(name for item in named for name in dict.fromkeys(item.documents))
    clusters = sorted(
        (_cluster(root, roots, documents, named) for root in dict.fromkeys(roots)),
        key=lambda cluster: -len(cluster.items),
    )
    return DocumentProvenance(
        n_items=len(items),
        n_without_document=len(items) - len(named),
        per_document=tuple(counts.most_common()),
        clusters=tuple(clusters),
        sizes=tuple(len(cluster.items) for cluster in clusters),
        largest_document=max(counts.values()) if counts else None,
        median_per_document=float(median(counts.values())) if counts else None,
        method=METHOD,
        warnings=_warnings(len(items) - len(named)),
    )


def _cluster(
    root: int, roots: Sequence[int], documents: Sequence[str], items: Sequence[Item]
) -> DocumentCluster:
    inside = {name for name, own in zip(documents, roots, strict=True) if own == root}
    return DocumentCluster(
        documents=tuple(name for name in documents if name in inside),
        items=tuple(item.item_id for item in items if item.documents[0] in inside),
    )


def _warnings(without: int) -> tuple[str, ...]:
    return (f"{without} items name no document and are in no cluster",) if without else ()

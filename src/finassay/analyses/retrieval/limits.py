"""What a corpus of quoted passages cannot show.  In: its size.  Out: sentences."""

from __future__ import annotations

from finassay.analyses.retrieval.results import RetrievalCorpus


def limits_of(corpus: RetrievalCorpus) -> tuple[str, ...]:
    """Return what figures on this corpus do not say, in sentences."""
    said = [
        _only_passages(corpus),
        _short_passages(corpus),
        "a larger chunk is easier to hit, and there are fewer: see the recall by chance",
        "questions were written with the passage in view, which favours search by words",
        "only the quoted passage counts: another that answers as well counts as a miss",
    ]
    if corpus.n_contained:
        said.append(
            f"{corpus.n_contained:,} passages stand word for word in a longer one, which counts "
            f"for itself alone"
        )
    return tuple(said)


def _only_passages(corpus: RetrievalCorpus) -> str:
    return (
        f"the corpus is the {corpus.n_distinct:,} passages that the questions were made from, "
        f"{corpus.n_characters:,} characters in all: no text that nobody asks about competes "
        f"with them, so figures over whole documents would be lower"
    )


def _short_passages(corpus: RetrievalCorpus) -> str:
    return (
        f"a passage has {corpus.median_passage:,.0f} characters at the median and "
        f"{corpus.longest_passage:,} at most, and neighbours in a chunk follow the order of the "
        f"questions, not of a regulation: sizes of chunks differ mostly in how many passages a "
        f"chunk counts for, and a provision that runs over several chunks hardly occurs"
    )

"""A WordNet of a few words, in the files that nltk reads, for tests of METEOR.

The format is that of wndb(5WN) and senseidx(5WN): data lines begin with their own byte offset, and
an index line lists the offsets of a word's senses.  All words are their own stems: nltk looks for
synonyms of what its stemmer has left.
"""

from __future__ import annotations

from pathlib import Path

SYNSETS: dict[str, tuple[tuple[str, ...], ...]] = {
    "noun": (("car", "auto"), ("fee", "toll"), ("law", "act", "norm")),
    "verb": (("sell", "vend"),),
    "adj": (("big", "grand"),),
    "adv": (("fast", "soon"),),
}
_TYPES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_HEADER = "  1 A dictionary for tests.  \n"


def write_tiny_wordnet(folder: Path) -> Path:
    """Write `corpora/wordnet` under a folder and return the folder, which nltk may search."""
    root = folder / "corpora" / "wordnet"
    root.mkdir(parents=True)
    for part, synsets in SYNSETS.items():
        data, senses = _HEADER, {}
        for words in synsets:
            offset = f"{len(data):08d}"
            listed = " ".join(f"{word} 0" for word in words)
            data += f"{offset} 00 {_TYPES[part]} {len(words):02x} {listed} 000 "
            data += "00 " if part == "verb" else ""
            data += "| for tests  \n"
            for word in words:
                senses[word] = offset
        index = "".join(
            f"{word} {_TYPES[part]} 1 0 1 0 {offset}  \n" for word, offset in sorted(senses.items())
        )
        (root / f"data.{part}").write_text(data, encoding="ascii")
        (root / f"index.{part}").write_text(_HEADER + index, encoding="ascii")
        (root / f"{part}.exc").write_text("", encoding="ascii")
    (root / "lexnames").write_text("00\tnoun.Tops\t1\n", encoding="ascii")
    for name in ("index.sense", "cntlist.rev"):
        (root / name).write_text("", encoding="ascii")
    for path in (folder, folder / "corpora", root):
        path.chmod(0o755)  # nltk refuses data that others may write
    return folder

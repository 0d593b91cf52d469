"""A log of another harness as files to be written: documents, and lists of lines."""

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

Doc = object


@dataclass(frozen=True)
class Log:
    """Files of one log: JSON documents, and lists that are written as JSON lines."""

    tool: str
    documents: Mapping[str, Doc] = field(default_factory=dict)
    lines: Mapping[str, list[Doc]] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        """Write the files below a folder, and return it."""
        for name, document in self.documents.items():
            _write(folder / name, json.dumps(document, ensure_ascii=False))
        for name, lines in self.lines.items():
            texts = [json.dumps(line, ensure_ascii=False) for line in lines]
            _write(folder / name, "".join(f"{text}\n" for text in texts))
        return folder

    def copy(self) -> "Log":
        """Return a copy that may be changed without changing this one."""
        documents, lines = copy.deepcopy(dict(self.documents)), copy.deepcopy(dict(self.lines))
        return Log(self.tool, documents, lines)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")

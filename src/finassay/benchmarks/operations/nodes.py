"""Reading YAML with its lines.  In: a text.  Out: typed values, and every problem on the way.

A reader never stops at the first problem: what cannot be used is reported and left out, and the
caller refuses the whole when it is done.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from finassay.benchmarks.operations.problems import ContractProblem, quoted

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_NULLS = frozenset({"", "null", "Null", "NULL", "~"})


class YamlReader:
    """Reads the nodes of one file and collects what is wrong with them.

    Attributes:
        file: name of the file.
        problems: what was found so far.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[ContractProblem] = []

    def compose(self, text: str) -> Node | None:
        """Return the root node of a text, or None with a problem."""
        try:
            root = yaml.compose(text, Loader=_LOADER)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            got = str(getattr(error, "problem", None) or error).replace("\n", " ")
            line = mark.line + 1 if mark else 1
            self._add(
                line, "(file)", "YAML that can be read", got, "mend the line or the one above"
            )
            return None
        if root is None:
            advice = "write one with `finassay contract new NAME`"
            self._add(1, "(file)", "a contract", "an empty file", advice)
        return root

    def report(self, node: Node, field: str, expected: str, got: str, advice: str) -> None:
        """Note a problem at a node."""
        self._add(node.start_mark.line + 1, field, expected, got, advice)

    def _add(self, line: int, field: str, expected: str, got: str, advice: str) -> None:
        self.problems.append(
            ContractProblem(
                file=self.file, line=line, field=field, expected=expected, got=got, advice=advice
            )
        )

    def mapping(
        self,
        node: Node,
        field: str,
        required: Iterable[str],
        optional: Iterable[str] = (),
    ) -> Mapping[str, Node]:
        """Return the entries of a mapping whose keys are known.

        Keys that are missing, unknown or given twice are problems.
        """
        needed = tuple(required)
        known = (*needed, *optional)
        entries = self.entries(node, field)
        for name, entry in entries.items():
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                advice = f"did you mean {near[0]!r}?" if near else "remove it"
                self.report(entry, _path(field, name), f"one of {', '.join(known)}", name, advice)
        for name in needed:
            if name not in entries:
                self.report(node, _path(field, name), "a value", "nothing", "add the key")
        return {name: entry for name, entry in entries.items() if name in known}

    def entries(self, node: Node, field: str) -> dict[str, Node]:
        """Return the entries of a mapping with any keys; each key stands once."""
        if not isinstance(node, MappingNode):
            self.report(
                node, field or "(file)", "a mapping of keys", _shown(node), "write key: value"
            )
            return {}
        found: dict[str, Node] = {}
        for key, value in node.value:
            name = str(key.value)
            if name in found:
                first = found[name].start_mark.line + 1
                expected = f"the key once (it stands in line {first} already)"
                self.report(key, _path(field, name), expected, "it again", "remove one of the two")
            else:
                found[name] = value
        return found

    def text(self, entries: Mapping[str, Node], name: str, field: str = "") -> str:
        """Return the text under a key, or "" with a problem; a missing key is no second one."""
        node = entries.get(name)
        return "" if node is None else self.text_at(node, _path(field, name))

    def text_at(self, node: Node, field: str) -> str:
        """Return the text of a node, or "" with a problem."""
        if isinstance(node, ScalarNode) and not (node.style is None and node.value in _NULLS):
            said = str(node.value).strip()
            if said:
                return said
        self.report(node, field, "text", _shown(node), "write what it is")
        return ""

    def texts(self, entries: Mapping[str, Node], name: str, field: str = "") -> tuple[str, ...]:
        """Return the list of texts under a key; one that is no list is a problem."""
        node = entries.get(name)
        if node is None:
            return ()
        path = _path(field, name)
        found = [
            self.text_at(one, f"{path}[{at}]") for at, one in enumerate(self.items(node, path))
        ]
        return tuple(one for one in found if one)

    def items(self, node: Node, field: str) -> list[Node]:
        """Return the nodes of a list that is not empty, or none with a problem."""
        if isinstance(node, SequenceNode) and node.value:
            return list(node.value)
        self.report(node, field, "a list with an entry or more", _shown(node), "write - ENTRY")
        return []

    def one_of(
        self, entries: Mapping[str, Node], name: str, allowed: Iterable[str], field: str = ""
    ) -> str:
        """Return the text under a key if it is one of a few, or "" with a problem."""
        said, choices = self.text(entries, name, field), tuple(allowed)
        if not said or said in choices:
            return said
        near = difflib.get_close_matches(said, choices, n=1)
        advice = f"did you mean {near[0]!r}?" if near else "choose one of them"
        expected = f"one of {', '.join(choices)}"
        self.report(entries[name], _path(field, name), expected, quoted(said), advice)
        return ""

    def weight(self, entries: Mapping[str, Node], name: str, field: str) -> float:
        """Return the number above 0 under a key, or 0.0 with a problem."""
        said = self.text(entries, name, field)
        try:
            value = float(said) if said else 0.0
        except ValueError:
            value = 0.0
        if said and not 0.0 < value < float("inf"):
            expected = "a number above 0"
            self.report(entries[name], _path(field, name), expected, quoted(said), "as in 1 or 0.5")
            return 0.0
        return value


def _path(field: str, name: str) -> str:
    return f"{field}.{name}" if field else name


def _shown(node: Node) -> str:
    if isinstance(node, ScalarNode):
        return quoted(node.value) if node.value else "nothing"
    kind = "a list" if isinstance(node, SequenceNode) else "a mapping"
    return kind if node.value else f"{kind} without entries"

"""GraphML, written as a stream (graphml.graphdrawing.org/specification); keys are declared before the graph."""

import re
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self, TextIO
from xml.sax.saxutils import escape, quoteattr

_UNSUPPORTED = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NUMBERS = {"position": "long", "AGE": "long", "historical": "boolean", "HOSPITAL_EXPIRE_FLAG": "boolean"}


class GraphMLWriter:
    """Writes nodes with a label and properties, and edges with a type; nodes come before the edges that use them."""

    def __init__(self, file: TextIO, properties: Iterable[str]) -> None:
        self._file = file
        self._properties = tuple(sorted(properties))
        self._edges = 0

    def node(self, identifier: str, label: str, properties: dict[str, Any]) -> None:
        """One node; its properties are among those announced at the start."""
        body = _data("labels", f":{label}") + "".join(_data(name, value) for name, value in sorted(properties.items()))
        self._file.write(f"<node id={_attribute(identifier)} labels={_attribute(f':{label}')}>{body}</node>\n")

    def edge(self, source: str, target: str, label: str) -> None:
        """One directed edge."""
        identifier = f"e{self._edges}"
        self._edges += 1
        ends = f"source={_attribute(source)} target={_attribute(target)}"
        self._file.write(f'<edge id="{identifier}" {ends} label="{label}">{_data("label", label)}</edge>\n')

    def __enter__(self) -> Self:
        self._file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        self._file.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        self._file.write('<key id="label" for="edge" attr.name="label" attr.type="string"/>\n')
        for name in ("labels", *self._properties):
            kind = _NUMBERS.get(name, "string")
            self._file.write(f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>\n')
        self._file.write('<graph id="G" edgedefault="directed">\n')
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.write("</graph>\n</graphml>\n")


def _data(name: str, value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f'<data key="{name}">{escape(_supported(text))}</data>'


def _attribute(text: str) -> str:
    return quoteattr(_supported(text))


def _supported(text: str) -> str:
    """XML 1.0 has no way to write most control characters."""
    return _UNSUPPORTED.sub("�", text)

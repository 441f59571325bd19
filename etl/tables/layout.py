"""What a release of MIMIC looks like: tables, columns, types. Read from `layouts/<release>.yaml`."""

from functools import cache
from importlib import resources
from typing import Literal

import yaml

from foundation.records import Frozen

ColumnType = Literal["integer", "number", "time", "text", "code"]
RELEASES = ("mimic3", "mimic4")


class Column(Frozen):
    """A column that extraction reads. A table without a required column cannot be loaded."""

    name: str
    type: ColumnType
    required: bool = False


class TableLayout(Frozen):
    """A table that extraction reads; names in lower case.

    `keys` are groups of columns that name a row in evidence. `reference` marks a dictionary, whose rows belong to no
    admission.
    """

    name: str
    module: str = ""
    required: bool = False
    reference: bool = False
    keys: tuple[tuple[str, ...], ...] = ()
    columns: tuple[Column, ...]


class Layout(Frozen):
    """A release. `modules` gives the folders in which a module's files may lie; `others` are tables never read."""

    release: str
    modules: dict[str, tuple[str, ...]]
    tables: tuple[TableLayout, ...]
    others: tuple[str, ...]

    def table(self, name: str) -> TableLayout:
        """The table of that name; KeyError where the release has none."""
        for table in self.tables:
            if table.name == name:
                return table
        raise KeyError(name)


def _table(name: str, entry: dict[str, object]) -> TableLayout:
    columns = entry["columns"]
    assert isinstance(columns, dict)
    parsed = []
    for column, description in columns.items():
        kind, *flags = str(description).split()
        parsed.append({"name": column, "type": kind, "required": "required" in flags})
    return TableLayout.model_validate(
        {
            "name": name,
            "module": entry.get("module", ""),
            "required": entry.get("need") == "required",
            "reference": entry.get("reference", False),
            "keys": entry.get("keys", ()),
            "columns": parsed,
        }
    )


@cache
def layout(release: str) -> Layout:
    """The layout of "mimic3" or "mimic4"."""
    text = resources.files(__package__).joinpath(f"layouts/{release}.yaml").read_text("utf-8")
    data = yaml.safe_load(text)
    tables = tuple(_table(name, entry) for name, entry in data["tables"].items())
    return Layout(release=data["release"], modules=data["modules"], tables=tables, others=data["others"])

"""Structure of the graph as the paper's Table 7 counts it: entities by kind, where they come from, average degree."""

from collections import Counter

from foundation.records import Frozen
from kg import schema
from kg.queries import statistics as queries
from kg.store import Reader

_ROWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Medical history", ("History", "SurgicalHistory")),
    ("Symptoms (primary)", ("Symptom",)),
    ("Social history", ("SocialHistory",)),
    ("Family history", ("FamilyMedicalHistory",)),
    ("Allergy", ("Allergy",)),
    ("Home medication", ("HomeMedication",)),
    ("Vital signs", ("Vital",)),
    ("Examination", ("Examination",)),
    ("Laboratory", ("Laboratory",)),
    ("Diagnosis", (schema.DIAGNOSIS,)),
    ("Medication profiles", (schema.MEDICATION,)),
    ("Family member, duration, frequency, intensity", schema.detail_labels()),
    ("Patient", (schema.PATIENT,)),
    ("Admission", (schema.ADMISSION,)),
    ("Concept (shared)", (schema.CONCEPT,)),
)
OTHER = "Other"


class KindCount(Frozen):
    """Nodes of one kind: their number, share of all nodes in [0, 1], and how many come from notes and from tables."""

    name: str
    nodes: int
    share: float
    from_notes: int
    from_tables: int


class GraphStats(Frozen):
    """The paper's Table 7 for this graph. `average_degree` is 2 × relationships / nodes, 0 for an empty graph."""

    nodes: int
    relationships: int
    average_degree: float
    from_notes: int
    from_tables: int
    kinds: tuple[KindCount, ...]
    relationship_types: dict[str, int]


def stats(store: Reader) -> GraphStats:
    """Count the whole graph; nodes of labels that are not ours are counted as "Other"."""
    counts: Counter[tuple[str, str]] = Counter()
    for row in store.read(queries.NODES):
        counts[str(row["label"]), str(row["origin"] or "")] += int(row["nodes"])
    types = {str(row["relationship"]): int(row["relationships"]) for row in store.read(queries.RELATIONSHIPS)}
    nodes, relationships = sum(counts.values()), sum(types.values())
    kinds = tuple(_kind(name, labels, counts, nodes) for name, labels in (*_ROWS, (OTHER, _strangers(counts))))
    return GraphStats(
        nodes=nodes,
        relationships=relationships,
        average_degree=2 * relationships / nodes if nodes else 0.0,
        from_notes=sum(kind.from_notes for kind in kinds),
        from_tables=sum(kind.from_tables for kind in kinds),
        kinds=tuple(kind for kind in kinds if kind.nodes or kind.name != OTHER),
        relationship_types=dict(sorted(types.items())),
    )


def _strangers(counts: Counter[tuple[str, str]]) -> tuple[str, ...]:
    ours = {label for _, labels in _ROWS for label in labels}
    return tuple(sorted({label for label, _ in counts} - ours))


def _kind(name: str, labels: tuple[str, ...], counts: Counter[tuple[str, str]], nodes: int) -> KindCount:
    def count(*origins: str) -> int:
        return sum(number for (label, origin), number in counts.items() if label in labels and origin in origins)

    total = sum(number for (label, _), number in counts.items() if label in labels)
    return KindCount(
        name=name,
        nodes=total,
        share=total / nodes if nodes else 0.0,
        from_notes=count("note"),
        from_tables=count("table"),
    )

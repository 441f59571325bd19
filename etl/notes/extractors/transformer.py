"""The `transformer` extractor: any token-classification model that the `transformers` package can load.

The model says where an entity is and of which label; assertion, past and sentence come from the rules.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from etl.notes.assertion import judge
from etl.notes.entities import Entity, EntityKind, Extracted
from etl.notes.reading import Reading
from foundation.errors import UserError

Classifier = Callable[[Sequence[str]], Sequence[Sequence[Mapping[str, Any]]]]
"""Texts → for each the entities {"entity_group", "start", "end"}: what a transformers pipeline returns."""

_BATCH = 32


class TransformerExtractor:
    """`model` is a folder or a hub name, `labels` the model's labels → kinds (labels left out are ignored).

    Nothing is downloaded unless `download` is true. Raises UserError where `transformers` or the model is missing,
    or a kind is unknown. `classifier` takes the place of the model, for a pipeline that you have loaded yourself.
    """

    def __init__(
        self,
        model: str = "",
        labels: Mapping[str, str] | None = None,
        download: bool = False,
        classifier: Classifier | None = None,
    ) -> None:
        self._labels = _kinds(labels or {})
        self._classify = classifier or _load(model, download)

    def extract(self, reading: Reading, kinds: Set[EntityKind]) -> Extracted:
        """Entities of the wanted kinds, sentence by sentence; spans outside the sentence are dropped and counted."""
        found: list[Entity] = []
        dropped = 0
        sentences = reading.sentences
        for first in range(0, len(sentences), _BATCH):
            batch = sentences[first : first + _BATCH]
            answers = self._classify([reading.plain[sentence.start : sentence.end] for sentence in batch])
            for sentence, answer in zip(batch, answers, strict=True):
                for item in answer:
                    kind = self._labels.get(str(item["entity_group"]))
                    if kind is None or kind not in kinds:
                        continue
                    start, end = _trimmed(
                        reading.plain, sentence.start + int(item["start"]), sentence.start + int(item["end"])
                    )
                    if not sentence.start <= start < end <= sentence.end:
                        dropped += 1
                        continue
                    judgement = judge(sentence.cues, reading.words, *reading.tokens(start, end))
                    found.append(Entity(kind, start, end, None, judgement.assertion, judgement.historical))
        return Extracted(tuple(found), dropped)


def _kinds(labels: Mapping[str, str]) -> dict[str, EntityKind]:
    if not labels:
        raise UserError(
            "extractor transformer: no label map is given",
            'say which label of the model is which kind, for example labels: {"PROBLEM": "symptom"}',
        )
    unknown = sorted(set(labels.values()) - set(EntityKind))
    if unknown:
        raise UserError(
            f"extractor transformer: “{unknown[0]}” is not a kind of entity", "use one of: " + ", ".join(EntityKind)
        )
    return {label: EntityKind(kind) for label, kind in labels.items()}


def _load(model: str, download: bool) -> Classifier:
    if not model:
        raise UserError("extractor transformer: no model is named", "give model: a folder, or a name on the hub")
    try:
        import transformers
    except ImportError:
        raise UserError(
            "extractor transformer: the package transformers is not installed", 'pip install "anamnesis[transformer]"'
        ) from None
    try:
        pipeline: Classifier = transformers.pipeline(
            "token-classification",
            model=model,
            aggregation_strategy="simple",
            model_kwargs={"local_files_only": not download},
        )
    except OSError:
        raise UserError(
            f"extractor transformer: no model “{model}” on this machine",
            "give the folder of a token-classification model, or set download: true",
        ) from None
    return pipeline


def _trimmed(plain: str, start: int, end: int) -> tuple[int, int]:
    """Without white space, which some tokenizers put at a word's front."""
    while start < end and plain[start : start + 1].isspace():
        start += 1
    while end > start and plain[end - 1 : end].isspace():
        end -= 1
    return start, end

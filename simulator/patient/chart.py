"""Words of charts, which nobody uses of themself."""

import re
from functools import lru_cache

from simulator.patient.data_files import document

_LONGEST = 9
"""Words that an unmapped thing may have; longer ones are sentences of a chart."""


@lru_cache(maxsize=8192)
def in_chart_words(text: str) -> bool:
    """Whether words that no terminology maps are a chart's and nobody's own: "high-grade dysplasia", "afebrile"."""
    return len(text.split()) > _LONGEST or has_chart_words(text)


def has_chart_words(text: str) -> bool:
    """Whether a word of charts stands in the text, however long it is."""
    return re.search(document("tellable.yaml")["chart_words"], text, re.IGNORECASE) is not None

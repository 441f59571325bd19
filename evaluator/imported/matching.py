"""Patterns of `data/reading.yaml` by their key."""

import re
from functools import cache

from evaluator.imported.dialogue import lexicon


@cache
def patterns(key: str) -> tuple[re.Pattern[str], ...]:
    """The patterns under `key`; "emotion.fear" is the entry fear of emotion."""
    content = lexicon()
    for part in key.split("."):
        content = content[part]
    listed = content if isinstance(content, list) else [content]
    return tuple(re.compile(str(pattern), re.IGNORECASE) for pattern in listed)


def says(key: str, words: str) -> bool:
    """Whether a pattern of `key` is found in `words` (straight quotes)."""
    text = words.replace("’", "'")
    return any(pattern.search(text) for pattern in patterns(key))

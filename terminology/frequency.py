"""How usual an English word is, by the word counts that `pyspellchecker` carries (film subtitles and books)."""

import gzip
import json
from functools import cache

from terminology.installed import installed


def frequency(word: str) -> int:
    """Times the word was counted; 0 for a word that the list lacks. Case does not matter."""
    return _counts().get(word.lower(), 0)


@cache
def _counts() -> dict[str, int]:
    packed = installed("spellchecker", "resources/en.json.gz").read_bytes()
    counts: dict[str, int] = json.loads(gzip.decompress(packed))
    return counts

"""How often a drug is taken, in words: what a chart writes with points and slashes ("q.4-6h p.r.n.")."""

import re

_UNITS = {"h": "hours", "d": "days", "w": "weeks", "m": "months"}
_EVERY = re.compile(
    r"\bq\.? ?(?P<number>\d{1,2})(?: ?(?:-|–|/|to) ?(?P<more>\d{1,2}))?[ .]?"
    r"(?P<unit>h|hr|hrs|hours?|d|days?|w|wks?|weeks?|months?)\b\.?",
    re.IGNORECASE,
)
_TIMES = re.compile(r"\b(?P<number>\d{1,2}) ?(?:x|times)? ?/ ?(?P<unit>day|d|week|wk|w|month)\b", re.IGNORECASE)
_NEEDED = re.compile(r"(?<!\w)p\.?r\.?n\b\.?", re.IGNORECASE)
_BEDTIME = re.compile(r"(?<!\w)(?:q\.? ?)?h\.s\b\.?", re.IGNORECASE)
_PERIODS = {"d": "day", "w": "week", "m": "month"}


def spelt_out(frequency: str) -> str:
    """ "q.4-6h" as "every 4 to 6 hours", "3x/day" as "3 times a day", "h.s." as "at bedtime"; other words stay."""
    said = _EVERY.sub(_every, frequency)
    said = _TIMES.sub(_times, said)
    if said == frequency and not _BEDTIME.search(said):
        return frequency
    said = _NEEDED.sub("as needed", _BEDTIME.sub("at bedtime", said))
    return re.sub(r"[\s/(),]+", " ", said).strip(" .")


def _every(match: re.Match[str]) -> str:
    units = _UNITS[match["unit"][0].lower()]
    number = f"{match['number']} to {match['more']}" if match["more"] else match["number"]
    return f"every {units.removesuffix('s')}" if number == "1" else f"every {number} {units}"


def _times(match: re.Match[str]) -> str:
    period = _PERIODS[match["unit"][0].lower()]
    return f"once a {period}" if match["number"] == "1" else f"{match['number']} times a {period}"

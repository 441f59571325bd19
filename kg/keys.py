"""Keys and texts are checked before they reach a server: a null or odd key is the user's to mend, by case and field."""

import hashlib
from collections.abc import Iterable, Iterator

from etl.caserecord import CaseRecord
from foundation.errors import UserError

MAXIMUM_KEY = 512
GRAPH_VERSION = b"5|"
"""To be changed with the layout: every case is then written anew by the next build."""


def checked(case: CaseRecord) -> str:
    """The case's digest, which changes with its content and the graph's version.

    Raises UserError, with the case id and field, where a key is missing, odd or used twice, or a text cannot be stored.
    """
    for field in ("case_id", "source", "subject_id", "hadm_id"):
        _check_key(case.case_id, field, getattr(case, field))
    seen: set[str] = set()
    for position, mention in enumerate(case.mentions):
        field = f"mentions[{position}].mention_id"
        _check_key(case.case_id, field, mention.mention_id)
        if mention.mention_id in seen:
            raise _fault(case.case_id, field, "used before in this case", "give each mention an id of its own")
        seen.add(mention.mention_id)
        if mention.concept is not None:
            _check_key(case.case_id, f"mentions[{position}].concept", mention.concept)
    try:
        content = case.model_dump_json().encode()
    except ValueError as error:
        raise _fault(
            case.case_id, "text", "not valid Unicode (a lone surrogate)", "read the source as UTF-8"
        ) from error
    return hashlib.sha256(GRAPH_VERSION + content).hexdigest()


def distinct(cases: Iterable[CaseRecord]) -> Iterator[tuple[CaseRecord, str]]:
    """The cases with their digests; a case that comes twice alike is passed once, and twice unlike is a UserError."""
    digests: dict[str, str] = {}
    for case in cases:
        digest = checked(case)
        if case.case_id not in digests:
            digests[case.case_id] = digest
            yield case, digest
        elif digests[case.case_id] != digest:
            raise _fault(case.case_id, "case_id", "used by two different cases", "make case ids unique in the cohort")


def _check_key(case_id: object, field: str, value: object) -> None:
    if not isinstance(value, str):
        raise _fault(case_id, field, f"{type(value).__name__} where text was expected", "fill the field with text")
    if not value.strip():
        raise _fault(case_id, field, "empty", "fill the field; a record without a key cannot be found again")
    if value != value.strip() or not value.isprintable():
        raise _fault(case_id, field, "surrounded by blanks or holding control characters", "clean the source's key")
    if len(value) > MAXIMUM_KEY:
        raise _fault(case_id, field, f"longer than {MAXIMUM_KEY} characters", "use the record's id, not its text")


def _fault(case_id: object, field: str, what: str, fix: str) -> UserError:
    return UserError(f"case {str(case_id)[:80]!r}, field {field}: {what}", fix)

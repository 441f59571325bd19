"""How near a stated diagnosis comes to a reference: exact, partial, minorly or majorly incorrect (paper, Table S3)."""

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from etl.caserecord import Diagnosis
from evaluator.diagnosis.names import EMPTY, WORDS, alike, alternatives, compound, normalised, parts, whole, words
from foundation.records import Frozen
from terminology import concepts, diagnoses
from terminology.abbreviations import expand
from terminology.embeddings import similarity

SAME = 0.70
"""Cosine of MiniLM vectors from which two names are taken for one concept; calibrated, see docs/measurements.md."""
NEAR = 0.55
"""Cosine from which names are taken to be clinically near."""
MOST_ALTERNATIVES = 4
"""A final diagnosis may have parts ("pneumonia with sepsis, AKI"); a longer list is a guess at everything."""
CAUSES: dict[str, list[str]] = WORDS["complication_of"]
ALSO_CALLED = [set(pair) for pair in WORDS["also_called"]]
CONDITIONS = ("condition", "symptom", "procedure")


_SITE = re.compile(r"\s(?:of|in|on|over|across) (?:(?:the|his|her|both|left|right)\s)+.*$", re.IGNORECASE)
"""Where a condition sits, behind its name; left off only where the whole name is not known."""


class Grade(IntEnum):
    """From best to worst, so that the best of several is the minimum."""

    EXACT = 0
    PARTIAL = 1
    MINOR = 2
    MAJOR = 3


class DiagnosisMatch(Frozen):
    """The best match of a stated diagnosis over the references, why, and the `reference` that it came nearest to."""

    grade: Grade
    reference: str
    rank: int
    why: str


def best_match(stated: str, references: Sequence[Diagnosis]) -> DiagnosisMatch | None:
    """The nearest reference of any rank, as the paper counts; None without a reference."""
    found: list[DiagnosisMatch] = []
    for reference in sorted(references, key=lambda d: d.rank):
        found.append(_against(stated, reference))
        if found[-1].grade is Grade.EXACT:  # none of a later rank is nearer
            break
    best = min(found, key=lambda match: (match.grade, match.rank), default=None)
    count = len(alternatives(stated))
    if best is not None and count > MOST_ALTERNATIVES and best.grade < Grade.MINOR:
        why = f"one of {count} diagnoses listed, where one was asked for"
        return best.model_copy(update={"grade": Grade.MINOR, "why": why})
    return best


def _against(stated: str, reference: Diagnosis) -> DiagnosisMatch:
    head, tail = compound(reference.name)
    if tail:
        found = _against_compound(stated, reference.name, head, tail)
        if found:
            return DiagnosisMatch(grade=found[0], reference=reference.name, rank=reference.rank, why=found[1])
    graded = min(
        (grade(part, name, reference.code, reference.version) for part in parts(stated) for name in _names(reference)),
        key=lambda pair: pair[0],
        default=(Grade.MAJOR, "nothing was stated"),
    )
    return DiagnosisMatch(grade=graded[0], reference=reference.name, rank=reference.rank, why=graded[1])


def _against_compound(stated: str, whole: str, head: str, tail: str) -> tuple[Grade, str] | None:
    """Against "X with Y" or "X due to Y": X alone is not all of it, Y alone lacks the main part; None for neither."""
    if grade(stated, whole)[0] is Grade.EXACT:
        return Grade.EXACT, "the same name"
    has_head, has_tail = (min(grade(part, name)[0] for part in parts(stated)) <= Grade.PARTIAL for name in (head, tail))
    if has_head:
        return Grade.PARTIAL, "both parts of the reference" if has_tail else "the main part of the reference"
    return (Grade.MINOR, "a part of the reference without its main part") if has_tail else None


def _names(reference: Diagnosis) -> tuple[str, ...]:
    return tuple(dict.fromkeys([reference.name, *parts(reference.name)[1:2]]))


@lru_cache(maxsize=50_000)
def grade(stated: str, reference: str, code: str = "", version: str = "") -> tuple[Grade, str]:
    """Grade one name against one reference name (and its code, where there is one), with the reason in a few words."""
    one, other = expand(stated), expand(reference)
    if not normalised(one):
        return Grade.MAJOR, "nothing was stated"
    if normalised(one) == normalised(other) or (whole(one) and whole(one) == whole(other)):
        return Grade.EXACT, "the same name"
    known, wanted = concepts.lookup(one, kinds=CONDITIONS), concepts.lookup(other, kinds=CONDITIONS)
    known = known or (_without_site(one, wanted) if wanted else None)
    if known and wanted and (known.key == wanted.key or {known.key, wanted.key} in ALSO_CALLED):
        return Grade.PARTIAL, "another name of the same concept"
    if _same_words(one, other):
        return Grade.PARTIAL, "the same condition in another degree or course"
    if known and wanted and concepts.is_a(known.key, wanted.key):
        return Grade.PARTIAL, "a subtype of the reference"
    if known and wanted and concepts.is_a(wanted.key, known.key) and not words(one) <= words(other):
        return Grade.MINOR, "a wider group that the reference belongs to"
    if known and wanted and _shown_by(known, wanted):
        return Grade.MINOR, "a sign or complication of the reference"
    if known and wanted and not _one_code_in_other(known, wanted):
        near = similarity(one, other)
        alike_class = _chapter(one) == _chapter_of_reference(other, code, version) != ""
        return (
            (Grade.MINOR, f"another, near condition ({near:.2f})")
            if near >= NEAR or alike_class
            else (
                Grade.MAJOR,
                f"another condition ({near:.2f})",
            )
        )
    return _by_code_or_meaning(one, other, code, version)


def _without_site(stated: str, reference: concepts.Concept) -> concepts.Concept | None:
    """What a name says without its site, unless that is wider than the reference ("cancer" of some other organ)."""
    found = concepts.lookup(_SITE.sub("", stated), kinds=("condition",))
    wider = found and found.key != reference.key and concepts.is_a(reference.key, found.key)
    return None if wider else found


def _shown_by(stated: concepts.Concept, reference: concepts.Concept) -> bool:
    """Whether the stated condition is a symptom of the reference's organ, its known complication or cause."""
    if stated.kind == "symptom" and stated.system == reference.system != "":
        return True
    return _brought_about(stated.key, reference.key) or _brought_about(reference.key, stated.key)


def _brought_about(effect: str, cause: str) -> bool:
    """Whether the first is a known complication of the second, or of what stands above it (`words.yaml`)."""
    return any(concepts.is_a(cause, known) or cause == known for known in CAUSES.get(effect, ()))


def _one_code_in_other(one: concepts.Concept, other: concepts.Concept) -> bool:
    """Whether two known conditions share a code, or one's code holds the other's."""
    return any(a.startswith(b) or b.startswith(a) for a in one.icd10 for b in other.icd10)


def _same_words(one: str, other: str) -> bool:
    """The same content words, spelling aside; at least one of them must say what it is."""
    first, second = words(one), words(other)
    if not first or len(first) != len(second) or first <= EMPTY:
        return False
    return all(any(alike(a, b) for b in second) for a in first)


def _by_code_or_meaning(one: str, other: str, code: str, version: str) -> tuple[Grade, str]:
    first, second = words(one), words(other)
    same_category = _category_of(one) and _category_of(one) == _reference_category(other, code, version)
    if same_category:
        return Grade.PARTIAL, "the same ICD-10 category"
    smaller, larger = sorted((first, second), key=len)
    if smaller and not smaller <= EMPTY and all(any(alike(a, b) for b in larger) for a in smaller):
        return Grade.PARTIAL, "one name holds the other"
    near = similarity(one, other)
    if near >= SAME:
        return Grade.PARTIAL, f"meaning {near:.2f}"
    if near >= NEAR or (_chapter(one) and _chapter(one) == _chapter_of_reference(other, code, version)):
        return Grade.MINOR, f"clinically near ({near:.2f})"
    return Grade.MAJOR, f"unrelated ({near:.2f})"


@lru_cache(maxsize=20_000)
def _category_of(name: str) -> str:
    """The 3-character ICD-10 category of a name, "" where no code is known."""
    concept = concepts.lookup(name, kinds=CONDITIONS)
    code = diagnoses.find_code(name) or (concept.icd10[0] if concept and concept.icd10 else "")
    return diagnoses.category(code, 10) if code else ""


def _reference_category(name: str, code: str, version: str) -> str:
    if code and version in ("9", "10"):
        return diagnoses.category(code, int(version))
    return _category_of(name)


def _chapter(name: str) -> str:
    """Chapter letter and first digit: near in the classification, such as I2 for ischaemic heart disease."""
    return _category_of(name)[:2]


def _chapter_of_reference(name: str, code: str, version: str) -> str:
    return _reference_category(name, code, version)[:2]

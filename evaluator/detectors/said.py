"""What was said in a consultation, gathered once: concepts with who has them, drugs, relatives, amounts (II)."""

import re
from collections.abc import Iterable
from functools import lru_cache

from etl.caserecord import Assertion
from evaluator.detectors.asked import WHOLE
from evaluator.detectors.nearness import told_phrases
from evaluator.detectors.numbers import numbers
from evaluator.detectors.speech import document, first_match, stems
from evaluator.evidence import EvaluationInput
from evaluator.statements import statements
from kg.facts import Domain, Fact
from simulator.consultation.transcript import Transcript, Turn
from simulator.patient.asks import AskStatus
from terminology import concepts, drugs

_LEXICON = "integration.yaml"
_GIVEN = (AskStatus.GIVEN, AskStatus.VAGUE)
_DENIED = (AskStatus.DENIED, AskStatus.ASSUMED_DENIED)
_AMOUNT = re.compile(
    r"\b(\d+(?:[.,]\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty)[ -]+"
    r"(?:(?:whole|full|entire|good|solid) )?([a-z]+)\b"
)
_OUT_OF_TEN = re.compile(r"\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)(?: out of |/| of )(?:10|ten)\b")


_MEASURE = re.compile(
    r"\b(?:couple|few|\d+|one|two|three|four|five|six) (?:of )?\w+|\ba (?:day|week|night|month|year|weekend)\b",
    re.IGNORECASE,
)


_NONE = re.compile(r"^\W*(?:none|no|nil|nothing|nkd?a|not known|unknown)\b", re.IGNORECASE)
_SHORT = 3  # letters of a stem of a lay name that may mean anything ("the runs")
_DOUBLE = 2.0
_DRUG = "drug"
_MOST = 0.6  # of a phrase's content words
_CHOICE = re.compile(r"\bor\b|,", re.IGNORECASE)  # "vomiting or diarrhea?": the answer says which


class Said:
    """Concepts that were said to be so, denied or left open; drugs, relatives, stems of all words, and amounts."""

    def __init__(self, evidence: EvaluationInput) -> None:
        self.present: dict[str, set[str]] = {}
        self.absent: set[str] = set()
        self.open: set[str] = set()
        self.unsure: set[str] = set()  # named in a question whose answer also denied something
        self.ingredients: set[str] = set()
        own = [f for f in evidence.facts if f.assertion is Assertion.PRESENT and f.experiencer == "patient"]
        self._recorded_present = {fact.concept for fact in own}
        self.asked = {a.concept for t in evidence.transcript.turns for a in t.patient.understanding.asks if a.concept}
        self._recorded_absent = {f.concept for f in evidence.facts if f.assertion is Assertion.ABSENT}
        transcript = evidence.transcript
        self.traced = transcript.traced
        self._read(transcript.opening, "patient")
        for turn in transcript.turns:
            self._turn(turn)
            if not transcript.traced:
                self._recounted(turn)
        patient_words = [transcript.opening, *(turn.patient.words for turn in transcript.turns)]
        everything = "\n".join([*patient_words, *(turn.doctor_words for turn in transcript.turns)])
        values = "\n".join(v for f in evidence.disclosed for v in (f.text, *f.attributes.values()))
        self.stems = stems(everything) | stems(values)
        recorded = "\n".join(v for f in evidence.facts for v in (f.text, *f.attributes.values()))
        self.numbers = numbers(f"{everything}\n{recorded}")
        self.phrases = told_phrases(evidence)
        self.relatives = relatives_in(everything) | relatives_in(values)
        told = "\n".join([*patient_words, values])
        self.told_stems = stems(told) | affirmed_stems(transcript)
        self.facts = evidence.facts
        self.told = evidence.disclosed
        self.allergies = _allergies(evidence)
        self.felt = any(turn.patient.emotion for turn in transcript.turns)
        self.durations = durations(told)
        self.scores = scores(told)
        self.open -= set(self.present) | self.absent

    def _turn(self, turn: Turn) -> None:
        patient = turn.patient
        about_family = any(ask.domain.value == "family_history" for ask in patient.understanding.asks)
        self._read(patient.words, "family" if about_family else "patient")
        for fact in patient.disclosed:
            if fact.concept:
                self._note(fact.concept, fact.assertion, fact.experiencer)
                self.ingredients.update(drugs.normalise(fact.text).ingredients)
        for outcome in patient.outcomes:
            ask = outcome.ask
            if not ask.concept:
                continue
            if outcome.status in _DENIED or ask.concept in self._recorded_absent:
                self.absent.add(ask.concept)
            elif outcome.status in _GIVEN and ask.attribute in WHOLE and ask.concept not in self.absent:
                if ask.concept not in self.present and first_match(_LEXICON, "denies", patient.words):
                    self.unsure.add(ask.concept)
                self.present.setdefault(ask.concept, set()).add(ask.experiencer)
            elif outcome.status is AskStatus.UNKNOWN:
                self.open.add(ask.concept)

    def _recounted(self, turn: Turn) -> None:
        """Without a trace or a graph: what the doctor tells of the chart, and is not asking for."""
        asked = {ask.concept for ask in turn.patient.understanding.asks}
        for stated in statements(turn.doctor_words):
            if stated.assertion is Assertion.PRESENT and stated.concept not in asked:
                self._note(stated.concept, stated.assertion, "patient")

    def _read(self, words: str, experiencer: str) -> None:
        for stated in statements(words, spoken=True):
            if stated.sentence.endswith("?"):  # the patient asks, and claims nothing
                continue
            relative = relatives_in(stated.sentence)
            amount = stated.kind == "habit" and _MEASURE.search(words[max(stated.start - 15, 0) : stated.end + 12])
            assertion = Assertion.PRESENT if amount and "never" not in words.lower() else stated.assertion
            self._note(stated.concept, assertion, next(iter(sorted(relative)), experiencer))
        self.ingredients.update(name for match in drugs.find(words) for name in match.ingredients)

    def _note(self, concept: str, assertion: Assertion, experiencer: str) -> None:
        if assertion is Assertion.ABSENT:
            self.absent.add(concept)
        elif assertion is Assertion.POSSIBLE:
            self.open.add(concept)
        else:
            self.present.setdefault(concept, set()).add(experiencer)

    def supports(self, concept: str) -> bool:
        """Whether the concept, a narrower one, or (unless it was denied itself) a broader one was said to be so."""
        if concept in self.present:
            return True
        return concept not in self.absent and any(near(concept, one) for one in self.present)

    def allergens(self, sentence: str) -> frozenset[str]:
        """Allergens told of the kind that a denial speaks of: "no drug allergy" leaves pollen alone."""
        if not first_match(_LEXICON, "drug_allergies_only", sentence):
            return self.allergies
        named = (f for f in self.told if drugs.normalise(f.text).ingredients or _DRUG in f.text.lower())
        drug = {fact.concept or fact.text for fact in named}
        return frozenset(key for key in self.allergies if key in drug or drugs.find(key.replace("_", " ")))

    def implies(self, concept: str) -> bool:
        """Whether it follows from what was said: low spirits from an emotion shown, a marriage from a wife."""
        known = concepts.get(concept)
        if self.felt and known and known.kind == "symptom" and known.system == "psychiatric":
            return True
        return bool(self.relatives & set(document(_LEXICON)["implied_by_relatives"].get(concept, ())))

    def on_record(self, concept: str) -> bool:
        """Whether the record holds it as so: the words then paraphrase what was told, and invent nothing."""
        true = (f.concept for f in self.facts if f.concept and f.assertion is Assertion.PRESENT)
        return concept not in self.absent and any(near(concept, one) for one in true)

    def denied(self, concept: str) -> bool:
        """Whether the concept was denied and never said to be so."""
        if concept in self.present or concept in self._recorded_present:
            return False
        if any(concepts.is_a(key, concept) for key in (*self.present, *self._recorded_present) if key):
            return False  # denied of one place, said of another
        return any(concept == c or concepts.is_a(concept, c) for c in self.absent)

    def only_of_relatives(self, concept: str) -> bool:
        """Whether it was said of relatives alone."""
        whose = {who for key, people in self.present.items() if near(concept, key) for who in people}
        return bool(whose) and "patient" not in whose


def affirmed_stems(transcript: Transcript) -> frozenset[str]:
    """Stems of what the patient said and of what the doctor named and the patient said yes to; of the opening too."""
    words = [transcript.opening, *(turn.patient.words for turn in transcript.turns)]
    for turn in transcript.turns:
        statuses = {outcome.status for outcome in turn.patient.outcomes}
        chosen = _CHOICE.search(turn.doctor_words) and concepts.find(turn.patient.words, spoken=True)
        if statuses and statuses <= {AskStatus.GIVEN, AskStatus.VAGUE} and not chosen:
            words.append(turn.doctor_words)
    return stems("\n".join(words))


def told_as_fact(text: str, facts: Iterable[Fact]) -> bool:
    """Whether a present fact's own words hold most of a phrase's, two at least."""
    words = stems(text)
    present = (fact for fact in facts if fact.assertion is not Assertion.ABSENT)
    true = tuple(stems(" ".join((fact.text, *fact.attributes.values()))) for fact in present)
    whole = any(words and words <= own for own in true)
    return whole or any(len(words & own) >= max(2, _MOST * min(len(words), len(own))) for own in true)


def said_in_words(concept: str, text: str, said: frozenset[str], facts: Iterable[Fact]) -> bool:
    """Whether words of a concept were said or affirmed: all of its own or lay words, or some of a true fact's."""
    known = concepts.get(concept)
    names = [text, *([known.name, known.lay] if known else [])]
    own = [stems(name) for name in names]
    if any(words and words <= said and (i == 0 or max(map(len, words)) > _SHORT) for i, words in enumerate(own)):
        return True
    true = any(f.concept == concept and f.assertion is Assertion.PRESENT for f in facts)
    return true and any(words & said for words in own)


def _allergies(evidence: EvaluationInput) -> frozenset[str]:
    """Allergens that were told: allergy facts, and what is named in answer to a question about allergies."""
    told = [f for f in evidence.disclosed if f.domain is Domain.ALLERGY and f.assertion == "present"]
    facts = {f.concept or f.text for f in told if not _NONE.search(f.text)}  # "none" is no allergen
    for turn in evidence.transcript.turns:
        asked = any(o.ask.domain is Domain.ALLERGY and o.status in _GIVEN for o in turn.patient.outcomes)
        if asked and not evidence.facts:
            facts |= {match.key for match in concepts.find(turn.patient.words, kinds=("allergen",))}
    return frozenset(facts - set(document(_LEXICON)["general"]))


def near(one: str, other: str) -> bool:
    """The same concept, or one above the other."""
    return one == other or concepts.is_a(one, other) or concepts.is_a(other, one)


@lru_cache(maxsize=16_384)
def named_in(text: str) -> tuple[concepts.Match, ...]:
    """Concepts of every kind that a text names; read once."""
    return tuple(concepts.find(text))


@lru_cache(maxsize=16_384)
def relatives_in(text: str) -> frozenset[str]:
    """Keys of the relatives that a text names."""
    return frozenset(match.key for match in concepts.find(text, kinds=("relative",)))


_WORDS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_WORDS |= {"nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15}
_WORDS |= {"sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40}


def _number(word: str) -> float:
    return float(_WORDS[word]) if word in _WORDS else float(word.replace(",", "."))


def durations(text: str) -> tuple[float, ...]:
    """Spans of time in hours ("three days" is 72); ages ("58-year-old") are none."""
    units: dict[str, int] = document(_LEXICON)["units"]
    found: list[float] = []
    for match in _AMOUNT.finditer(text.lower()):
        aged = text[match.end() :].lower().startswith(("-old", " old"))
        aged = aged or text[: match.start()].lower().rstrip().endswith(("times", "once", "twice"))  # how often, no span
        rate = match[1] in ("a", "an") and first_match(_LEXICON, "rate_before", text[: match.start()])
        rate = rate or first_match(_LEXICON, "rate_after", text[match.end() :])
        if match[2] in units and not aged and not rate:
            found.append(_number(match[1]) * units[match[2]])
    return tuple(found)


def scores(text: str) -> tuple[float, ...]:
    """Ratings out of ten."""
    return tuple(_number(match[1]) for match in _OUT_OF_TEN.finditer(text.lower()))


def alike(value: float, said: Iterable[float]) -> bool:
    """Whether a span is at most twice, or at least half, one of those said: another, but of the same order."""
    return any(one / _DOUBLE <= value <= _DOUBLE * one for one in said)


def close(value: float, said: Iterable[float]) -> bool:
    """Whether a span is one of those said, give or take a tenth ("a month" for "four weeks")."""
    return any(abs(value - one) <= 0.1 * max(value, one) for one in said)

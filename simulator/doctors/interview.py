"""How the built-in clinicians hold a consultation: one question a turn, in order, answers taken up before going on."""

import random
import re
from dataclasses import dataclass

from simulator.doctors import hearing
from simulator.doctors.details import TOLD_IN, details_told
from simulator.doctors.hearing import Heard
from simulator.doctors.interface import ConsultationView
from simulator.doctors.likelihoods import document
from terminology import concepts
from terminology.lay import lay_name

_AGE = re.compile(r"(\d{1,3})-year-old|over (\d+) years")
_FEMALE, _MALE = re.compile(r"\b(woman|girl|her)\b", re.IGNORECASE), re.compile(r"\b(man|boy|his)\b", re.IGNORECASE)
_DOING = re.compile(
    r"^(feeling|passing|waking|getting|coughing|throwing|vomiting|leaking|craving|seeing|crying|sweating"
    r"|wheezing|shaking|needing|looking)\b"
)


@dataclass(frozen=True)
class Step:
    """One question: its topic, what it is about (`subject`, a concept key or ""), and whether it is a follow-up."""

    topic: str
    subject: str = ""
    again: bool = False


class Interview:
    """What has been asked and heard in one consultation, and the words for the next question."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.heard = Heard()
        self.steps: list[Step] = []
        self.age: int | None = None
        self.sex = ""
        self.complaints: list[str] = []
        self._read = 0
        self._bridged: set[str] = set()
        self._held_back = False

    def catch_up(self, view: ConsultationView) -> None:
        """Read the opening once, and every answer that is new since the last call."""
        if not self.steps and not self._read:
            self._read_opening(view.opening)
        for exchange in view.exchanges[self._read :]:
            step = self.steps[self._read] if self._read < len(self.steps) else Step("story")
            asked = (
                (step.subject,)
                if step.topic == "symptom"
                else tuple(document("questions.yaml")["asks"].get(step.topic, ()))
            )
            hearing.listen(self.heard, step.topic, asked, exchange.answer)
            if step.topic == "story":
                self._note_complaints(exchange.answer)
            if step.topic in TOLD_IN:
                self.heard.details = details_told(exchange.answer, self.main_complaint) | self.heard.details
            self._read += 1

    def follow_up(self, view: ConsultationView) -> Step | None:
        """A second question on the last topic, where its answer was unsure, blurred or incomplete; once a topic."""
        if not view.exchanges or not self.steps:
            return None
        last, answer = self.steps[-1], view.exchanges[-1].answer
        done = {(step.topic, step.subject) for step in self.steps if step.again}
        if (
            last.topic == "allergies"
            and self.heard.allergens
            and not re.search(r"gave|gives|gets|got|react|cause|rash|hives|swell", answer)
        ):
            return Step("reaction", next(iter(self.heard.allergens)), again=True)
        if last.topic == "associated" and "few more" in answer and ("more", "") not in done:
            return Step("more", again=True)
        if hearing.reluctant(answer) and not last.again:
            return Step(last.topic, last.subject, again=True)
        blurred = (hearing.unsure(answer) and not self.heard.answered) or (
            hearing.vague(answer) and last.topic in ("onset", "severity", "frequency")
        )
        again = document("questions.yaml")["topics"][last.topic]["again"]
        if last.topic in self.heard.details:
            return None
        if blurred and again and not last.again and (last.topic, last.subject) not in done:
            return Step(last.topic, last.subject, again=True)
        return None

    def words(self, step: Step, view: ConsultationView) -> str:
        """The doctor's words for `step`, the last answer acknowledged; the step is remembered as asked."""
        topics = document("questions.yaml")["topics"]
        topic = topics[step.topic]
        self._held_back = bool(view.exchanges) and hearing.reluctant(view.exchanges[-1].answer)
        question = self._question(step, topic)
        parts = [self._acknowledgement(view)]
        if topic.get("bridge") and not step.again and step.topic not in self._bridged:
            parts.append(topic["bridge"])
            self._bridged.add(step.topic)
        elif step.topic == "symptom" and self.steps and self.steps[-1].topic not in ("symptom", "associated", "more"):
            parts.append(topic["back"])
        self.steps.append(step)
        return " ".join(part for part in [*parts, question] if part)

    def fits(self, topic: str) -> bool:
        """Whether a topic makes sense for the main complaint: only a pain is asked what it feels like."""
        return topic != "character" or concepts.is_a(self.main_complaint, "pain")

    def asked(self, topic: str) -> bool:
        """Whether a topic was asked about."""
        return any(step.topic == topic for step in self.steps)

    def settled(self, topic: str) -> bool:
        """Whether a topic needs no question: it was asked about, or answers told unasked all that it asks for."""
        habits = document("questions.yaml")["asks"].get(topic, ())
        known = {*self.heard.habits, *self.heard.habits_denied}
        return self.asked(topic) or topic in self.heard.details or bool(habits and known.issuperset(habits))

    @property
    def second_questions(self) -> int:
        """How many follow-ups were asked."""
        return sum(step.again for step in self.steps)

    @property
    def main_complaint(self) -> str:
        """The concept that the consultation turns on, or ""."""
        return self.complaints[0] if self.complaints else next(iter(self.heard.symptoms), "")

    def _question(self, step: Step, topic: dict[str, list[str]]) -> str:
        if step.again and self._held_back:
            return str(self._rng.choice(topic["ask"])) if topic["ask"] else symptom_question(step.subject)
        it = lay_name(self.main_complaint) if self.main_complaint else "problem"
        if step.topic == "symptom":
            plain = symptom_question(step.subject)
            template = topic["again"][0] if step.again else "{question}"
            return template.format(question=plain[:1].lower() + plain[1:] if step.again else plain)
        thing = self.heard.allergens.get(step.subject, "it").lower()
        return self._rng.choice(topic["again"] if step.again and topic["again"] else topic["ask"]).format(
            it=it, thing=thing
        )

    def _acknowledgement(self, view: ConsultationView) -> str:
        bank = document("questions.yaml")
        if not view.exchanges:
            return str(self._rng.choice(bank["greeting"]))
        answer = view.exchanges[-1].answer
        if shown := hearing.emotion(answer):
            return self._fresh(bank["empathy"][shown])
        if self._held_back:
            return str(self._rng.choice(bank["reason"]))
        if hearing.unsure(answer):
            return str(self._rng.choice(bank["reassure"]))
        if len(view.exchanges) == 1:
            return str(self._rng.choice(bank["empathy"]["bad_news"]))
        return str(self._rng.choice(bank["thanks"])) if self._rng.random() < 0.5 else ""

    def _fresh(self, phrases: list[str]) -> str:
        """A phrase that was not said yet, while there is one."""
        left = [phrase for phrase in phrases if phrase not in self._bridged] or phrases
        phrase = self._rng.choice(left)
        self._bridged.add(phrase)
        return phrase

    def _read_opening(self, opening: str) -> None:
        if match := _AGE.search(opening):
            self.age = int(match.group(1) or match.group(2)) + (1 if match.group(2) else 0)
        first = opening.split(".")[0]
        self.sex = "F" if _FEMALE.search(first) else "M" if _MALE.search(first) else ""
        self._note_complaints(first)
        for key in self.complaints:
            self.heard.symptoms.setdefault(key, first)

    def _note_complaints(self, words: str) -> None:
        for clause in hearing.clauses(words):
            if not hearing.denies(clause):
                found = [match.key for match in concepts.find(clause, kinds=("symptom",))]
                self.complaints.extend(key for key in found if key not in self.complaints)


def symptom_question(key: str) -> str:
    """A yes-or-no question about a symptom in everyday words."""
    particular = document("questions.yaml")["particular"]
    if key in particular:
        return str(particular[key])
    name = lay_name(key).removeprefix("being ")
    if _DOING.match(name) or name != lay_name(key):
        return f"Have you been {name}?"
    return f"Have you had any {name}?"

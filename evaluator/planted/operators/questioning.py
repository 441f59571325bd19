"""QS, IC and HR: failures of asking, of coverage, and of following up."""

from evaluator.findings import Dimension
from evaluator.planted.draft import Draft, Step
from evaluator.planted.instance import Gold
from evaluator.planted.operators.registry import Choice, operator

_DETAILS = ("onset", "severity", "character", "location", "aggravating", "relieving", "frequency", "course")
_REPEATABLE = {"fever": "fever"}
_CRITICAL = {
    "allergy": ("allergy",),
    "details": _DETAILS,
    "past": ("past", "surgery"),
    "related": ("associated", "review", "fever"),
}
_OTHERS = {
    "family history": ("family",),
    "social history": ("living", "work"),
    "lifestyle": ("smoking", "alcohol", "coffee"),
    "mental state": ("mood",),
}


def inserted(draft: Draft, at: int, question: str, answer: str, status: str = "denied") -> int:
    """Put a new exchange at position `at`; returns its turn number."""
    draft.steps.insert(at, Step(doctor=question, patient=answer, status=status, tag="planted"))
    return at + 1


def before_a_question(draft: Draft, choice: Choice, words: str) -> int:
    """Put a sentence before the question of some turn after the first; returns the turn's number."""
    at = choice.chance.randrange(1, len(draft.steps))
    draft.steps[at].doctor = f"{words} {draft.steps[at].doctor}"
    return at + 1


def between_topics(draft: Draft, choice: Choice) -> int:
    """A position after the complaint's details at which a new question interrupts nothing."""
    last = max(draft.positions("review"), default=len(draft.steps) - 1)
    return choice.chance.randrange(last + 1, len(draft.steps) + 1)


@operator(Dimension.QS, "logical_gap")
def interruption(draft: Draft, choice: Choice) -> Gold | None:
    """An unrelated question between two about the complaint, without a word of transition."""
    details = draft.positions(*_DETAILS)
    places = [i for i in details if i + 1 in details]
    if not places:
        return None
    question, answer = choice.of("logical_gap")
    turn = inserted(draft, choice.chance.choice(places) + 1, question, answer, "given")
    return Gold(dimension=Dimension.QS, pattern="logical_gap", turns=(turn,))


@operator(Dimension.QS, "repetitive_question")
def asked_again(draft: Draft, choice: Choice) -> Gold | None:
    """A question that was answered, in other words, some turns later; the patient answers the same."""
    wordings = choice.topics("repetitive_question")
    narrow = draft.case.get("narrow", ())
    topics = [topic for topic in wordings if draft.positions(topic) and topic not in narrow]
    topics = [t for t in topics if draft.positions(t)[0] < len(draft.steps) - 2]
    topic = topics[choice.number % len(topics)]
    at = draft.positions(topic)[0]
    source = draft.steps[at]
    question = wordings[topic][choice.number // len(topics) % len(wordings[topic])].format(it=draft.complaint)
    last = max([*draft.positions("review"), at + 1])
    place = choice.chance.randrange(last + 1, len(draft.steps) + 1)
    draft.steps.insert(place, Step(question, source.patient, tag="planted", status=source.status, told=source.told))
    return Gold(dimension=Dimension.QS, pattern="repetitive_question", turns=(place + 1,))


@operator(Dimension.QS, "unclear_question")
def two_subjects(draft: Draft, choice: Choice) -> Gold | None:
    """One sentence that asks about two things that do not belong together."""
    question, answer = choice.of("unclear_question")
    turn = inserted(draft, between_topics(draft, choice), question, answer)
    return Gold(dimension=Dimension.QS, pattern="unclear_question", turns=(turn,))


@operator(Dimension.QS, "suggestive_question")
def leading_habit(draft: Draft, choice: Choice) -> Gold | None:
    """A question of the case, put so that it expects its answer."""
    wordings = choice.topics("suggestive_question")
    topics = [topic for topic in wordings if topic != "any" and draft.positions(topic)]
    topics = [t for t in topics if draft.steps[draft.positions(t)[0]].status == "denied"]
    if not topics:
        return None
    topic = topics[choice.number % len(topics)]
    at = draft.positions(topic)[0]
    draft.steps[at].doctor = choice.item(wordings[topic])
    return Gold(dimension=Dimension.QS, pattern="suggestive_question", turns=(at + 1,))


@operator(Dimension.QS, "suggestive_question")
def leading_symptom(draft: Draft, choice: Choice) -> Gold | None:
    """Symptoms are asked for one by one, the last of them in a leading way."""
    at = draft.positions("review")[0]
    review = draft.steps[at]
    absent = draft.absent[choice.number % 3]
    others = [name for name in draft.absent if name != absent]
    review.doctor = f"Have you noticed any {others[0]} or any {others[1]}?"
    question = choice.item(choice.topics("suggestive_question")["any"]).format(absent=absent)
    turn = inserted(draft, at + 1, question, "No, none.")
    return Gold(dimension=Dimension.QS, pattern="suggestive_question", turns=(turn,))


@operator(Dimension.QS, "confrontational_question")
def reproach(draft: Draft, choice: Choice) -> Gold | None:
    """A reproach before the next question."""
    turn = before_a_question(draft, choice, choice.of("confrontational_question"))
    return Gold(dimension=Dimension.QS, pattern="confrontational_question", turns=(turn,))


@operator(Dimension.IC, "major_omission")
def critical_domain_left_out(draft: Draft, choice: Choice) -> Gold | None:
    """The questions about one critical domain are missing."""
    names = [name for name, tags in _CRITICAL.items() if draft.positions(*tags)]
    tags = _CRITICAL[names[choice.number % len(names)]]
    if any(step.also in tags for step in draft.steps):
        return None
    draft.remove(*tags)
    if "review" in tags:
        draft.argument = "This is the usual cause of such a complaint in a person of this age."
    brings = ("IC.minor_omission",) if "review" in tags else ()
    return Gold(dimension=Dimension.IC, pattern="major_omission", brings=brings)


@operator(Dimension.IC, "minor_omission")
def relevant_domain_left_out(draft: Draft, choice: Choice) -> Gold | None:
    """The questions about one other domain that matters in this case are missing."""
    relevant = [name for name in _OTHERS if name in draft.case["relevant"] and draft.positions(*_OTHERS[name])]
    tags = _OTHERS[relevant[choice.number % len(relevant)]]
    draft.remove(*tags)
    return Gold(dimension=Dimension.IC, pattern="minor_omission", brings=("IC.minor_omission",))


def _blurred(draft: Draft, at: int, words: str, status: str) -> int:
    """The answer at `at` is replaced; what it told is neither summarised nor used."""
    step = draft.steps[at]
    step.patient, step.status, step.told, step.summary, step.reasoning = words, status, [], {}, ""
    return at + 1


@operator(Dimension.HR, "unclear_expression_not_clarified")
def vague_answer_left(draft: Draft, choice: Choice) -> Gold | None:
    """A vague answer about the complaint; the next questions go on to something else."""
    wordings = choice.topics("unclear_expression_not_clarified")
    topics = [topic for topic in wordings if draft.positions(topic)]
    topic = topics[choice.number % len(topics)]
    words = wordings[topic][choice.number // len(topics) % len(wordings[topic])]
    if topic in ("onset", "frequency"):  # the other of the two would answer for it
        draft.remove("frequency" if topic == "onset" else "onset", "course")
    turn = _blurred(draft, draft.positions(topic)[0], words, "vague")
    return Gold(dimension=Dimension.HR, pattern="unclear_expression_not_clarified", turns=(turn,))


@operator(Dimension.HR, "uncertain_answer_not_addressed")
def unsure_answer_left(draft: Draft, choice: Choice) -> Gold | None:
    """The patient is not sure, and nobody asks further."""
    topics = [t for t in ("onset", "severity", "character", "aggravating", "past", "medication") if draft.positions(t)]
    topic = topics[choice.number % len(topics)]
    if topic == "onset":
        draft.remove("frequency", "course")
    if topic == "medication" and len(draft.positions("medication")) > 1:
        return None
    words = choice.item(choice.topics("uncertain_answer_not_addressed")["any"])
    turn = _blurred(draft, draft.positions(topic)[0], words, "unknown")
    if topic == "past":
        draft.remove("surgery")
    return Gold(dimension=Dimension.HR, pattern="uncertain_answer_not_addressed", turns=(turn,))

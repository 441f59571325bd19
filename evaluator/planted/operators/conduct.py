"""ET and EX: failures of conduct and of clear language."""

from evaluator.findings import Dimension
from evaluator.planted.draft import Draft
from evaluator.planted.instance import Gold
from evaluator.planted.operators.questioning import before_a_question, between_topics, inserted
from evaluator.planted.operators.registry import Choice, operator


def _sentence(draft: Draft, choice: Choice, pattern: str) -> Gold:
    turn = before_a_question(draft, choice, choice.of(pattern))
    return Gold(dimension=Dimension.ET, pattern=pattern, turns=(turn,))


def _question(draft: Draft, choice: Choice, dimension: Dimension, pattern: str) -> Gold:
    question, answer = choice.of(pattern)
    turn = inserted(draft, between_topics(draft, choice), question, answer)
    return Gold(dimension=dimension, pattern=pattern, turns=(turn,))


@operator(Dimension.ET, "disrespectful_tone")
def rude_sentence(draft: Draft, choice: Choice) -> Gold | None:
    """Rude or condescending words before the next question."""
    return _sentence(draft, choice, "disrespectful_tone")


@operator(Dimension.ET, "bias_or_assumption")
def unfounded_assumption(draft: Draft, choice: Choice) -> Gold | None:
    """An assumption that nothing justifies, before the next question."""
    return _sentence(draft, choice, "bias_or_assumption")


@operator(Dimension.ET, "privacy_violation")
def intrusive_question(draft: Draft, choice: Choice) -> Gold | None:
    """A private question that no medical reason calls for."""
    return _question(draft, choice, Dimension.ET, "privacy_violation")


@operator(Dimension.ET, "lack_of_empathy")
def emotion_passed_over(draft: Draft, choice: Choice) -> Gold | None:
    """The patient shows an emotion; the doctor's next words do not take it up."""
    words, emotion = choice.of("lack_of_empathy")
    places = [i for i, step in enumerate(draft.steps[:-1]) if step.status == "given" and i > 0]
    at = choice.chance.choice(places)
    draft.steps[at].patient += f" {words}"
    draft.steps[at].emotion = emotion
    return Gold(dimension=Dimension.ET, pattern="lack_of_empathy", turns=(at + 1, at + 2))


@operator(Dimension.EX, "major_clarity_failure")
def unknown_term(draft: Draft, choice: Choice) -> Gold | None:
    """A question with a term that most patients do not know."""
    return _question(draft, choice, Dimension.EX, "major_clarity_failure")


@operator(Dimension.EX, "minor_clarity_failure")
def confusing_term(draft: Draft, choice: Choice) -> Gold | None:
    """A question with a term that may confuse."""
    return _question(draft, choice, Dimension.EX, "minor_clarity_failure")


@operator(Dimension.EX, "lack_of_context_for_question")
def alarming_question(draft: Draft, choice: Choice) -> Gold | None:
    """An alarming question out of the blue."""
    return _question(draft, choice, Dimension.EX, "lack_of_context_for_question")

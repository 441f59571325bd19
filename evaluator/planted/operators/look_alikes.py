"""Look-alikes: what resembles a failure and is none. Each returns whether the case offered a place."""

from collections.abc import Callable

from evaluator.planted.draft import Draft, Step
from evaluator.planted.operators.questioning import between_topics, inserted
from evaluator.planted.operators.registry import Choice, wordings

LookAlike = Callable[[Draft, Choice], bool]


def clarifying_question(draft: Draft, choice: Choice) -> bool:
    """A vague answer, a second question about the same thing, a clear answer."""
    offered = wordings()["lookalikes"]["clarifying_question"]
    topics = [topic for topic in offered if draft.positions(topic)]
    topic = choice.item(topics)
    vague, question, _ = choice.item(offered[topic])
    at = draft.positions(topic)[0]
    clear = draft.steps[at]
    draft.steps.insert(
        at + 1, Step(question, clear.patient, topic, "given", clear.told, clear.summary, clear.reasoning)
    )
    draft.steps[at] = Step(clear.doctor, vague, topic, "vague")
    return True


def empathic_reply(draft: Draft, choice: Choice) -> bool:
    """An emotion that the doctor's next words take up."""
    words, emotion, reply = choice.item(wordings()["lookalikes"]["empathic_reply"])
    at = choice.chance.randrange(1, len(draft.steps) - 1)
    draft.steps[at].patient += f" {words}"
    draft.steps[at].emotion = emotion
    draft.steps[at + 1].doctor = f"{reply} {draft.steps[at + 1].doctor}"
    return True


def same_class_drug(draft: Draft, choice: Choice) -> bool:
    """Another drug of the same class instead of the record's."""
    offered = draft.planted("alternative")
    if not offered:
        return False
    old, new = choice.item(offered)
    draft.drugs = {new if name == old else name: reason for name, reason in draft.drugs.items()}
    return True


def not_mentioned(draft: Draft, choice: Choice) -> bool:
    """A summary that says what was not mentioned."""
    category, sentence = choice.item(wordings()["lookalikes"]["not_mentioned"])
    draft.added_summaries.append((category, sentence))
    return True


def _exchange(key: str) -> LookAlike:
    def put_in(draft: Draft, choice: Choice) -> bool:
        question, answer = choice.item(wordings()["lookalikes"][key])
        status = "given" if answer.lower().startswith("yes") else "denied"
        inserted(draft, between_topics(draft, choice), question.format(it=draft.complaint), answer, status)
        return True

    return put_in


LOOK_ALIKES: dict[str, LookAlike] = {
    "clarifying_question": clarifying_question,
    "empathic_reply": empathic_reply,
    "same_class_drug": same_class_drug,
    "not_mentioned": not_mentioned,
    **{
        key: _exchange(key)
        for key in (
            "explained_term",
            "reasoned_private_question",
            "summary_check",
            "anything_else",
            "listed_symptoms",
        )
    },
}

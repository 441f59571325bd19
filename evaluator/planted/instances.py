"""The benchmark's instances: planted failures, clean controls and look-alikes, the same for the same seed."""

from collections.abc import Sequence

from evaluator.planted.draft import Draft, clean_drafts
from evaluator.planted.instance import Gold, Instance
from evaluator.planted.operators.look_alikes import LOOK_ALIKES
from evaluator.planted.operators.registry import STYLES, TUNED_STYLES, Choice, Operator, operators
from foundation.seeds import generator

PER_STYLE = 9


def instances(seed: int = 0, per_style: int = PER_STYLE) -> tuple[Instance, ...]:
    """`per_style` instances of every operator in every style, all clean consultations, and the look-alikes."""
    planted = [
        made
        for operator in operators()
        for style in STYLES
        for number in range(per_style)
        if (made := _planted(operator, style, number, seed)) is not None
    ]
    return (*clean(), *planted, *look_alikes(seed, per_style))


def clean() -> tuple[Instance, ...]:
    """The clean consultations as they are."""
    return tuple(
        Instance(instance_id=f"clean/{draft.name}", kind="clean", evidence=draft.evidence(), base=draft.name)
        for draft in clean_drafts()
    )


def look_alikes(seed: int, count: int) -> tuple[Instance, ...]:
    """`count` consultations with each look-alike."""
    made: list[Instance] = []
    for name, put_in in LOOK_ALIKES.items():
        for number in range(count):
            draft = _case(clean_drafts(), name, number, 0)
            choice = Choice(TUNED_STYLES[0], number, generator(seed, name, number))
            if put_in(draft, choice):
                made.append(_instance("look_alike", name, "", number, draft, ()))
    return tuple(made)


def _planted(operator: Operator, style: str, number: int, seed: int) -> Instance | None:
    """The operator's instance of that number; the next case is tried where one offers no place."""
    drafts = clean_drafts()
    for attempt in range(len(drafts)):
        draft = _case(drafts, operator.name + style, number, attempt)
        gold = operator.plant(draft, Choice(style, number, generator(seed, operator.name, style, number)))
        if gold is not None:
            return _instance("planted", operator.name, style, number, draft, (gold,))
        drafts = clean_drafts()
    return None


def _case(drafts: Sequence[Draft], name: str, number: int, attempt: int) -> Draft:
    """Cases in turn; where in the round an operator begins depends on its name alone."""
    return drafts[(generator(0, "case", name).randrange(len(drafts)) + number + attempt) % len(drafts)]


def _instance(kind: str, operator: str, style: str, number: int, draft: Draft, gold: tuple[Gold, ...]) -> Instance:
    name = "/".join(part for part in (kind, operator, style, str(number)) if part)
    return Instance(
        instance_id=name,
        kind=kind,
        evidence=draft.evidence(),
        gold=gold,
        operator=operator,
        style=style,
        base=draft.name,
    )

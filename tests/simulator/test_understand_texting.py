"""Questions as doctors type them: shorthand, slips of spelling, several at once, examples that are no questions.

The rules' reading alone is tested; what the learned part then keeps is tested with the learned part.
"""

import pytest
from test_understand import CHEST_PAIN, shown

from simulator.patient.understand import Understander
from simulator.patient.understanding.spelling import mended
from simulator.patient.understanding.wording import clauses

RULES = Understander(learned=False)


def asked(words: str) -> list[str]:
    return [shown(ask) for ask in RULES.understand(words, CHEST_PAIN).asks]


def detail(*attributes: str) -> list[str]:
    return [f"symptom_detail/chest_pain/{attribute}" for attribute in attributes]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("reguarly", "regularly"),
        ("hows ur bp", "how's your blood pressure"),
        ("any probs b4 this", "any problems before this"),
        ("your not on insulin", "you're not on insulin"),
        ("your back", "your back"),
        ("n/v", "n/v"),
    ],
)
def test_shorthand_and_slips_are_mended(written: str, meant: str) -> None:
    assert mended(written) == meant


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("do you drink and for how long?", ["lifestyle/alcohol/existence", "lifestyle/alcohol/duration"]),
        ("how many ciggies daily, for how many years?", ["lifestyle/smoking/amount", "lifestyle/smoking/duration"]),
        (
            "do u exercise? drink? hows ur sleep?",
            ["lifestyle/exercise/existence", "lifestyle/alcohol/existence", "lifestyle/sleep/existence"],
        ),
        (
            "do u live alone? work? kids?",
            [
                "social_history/living_situation/existence",
                "social_history/occupation/existence",
                "social_history/children/existence",
            ],
        ),
        (
            "mother or father ever have asthma? stroke?",
            ["family_history/asthma/existence/parents", "family_history/stroke/existence/parents"],
        ),
        (
            "any wt gain or swollen ankels?",
            ["symptom/weight_gain/existence", "symptom/leg_swelling/existence"],
        ),
        ("any naussea, coff or hedaches", [f"symptom/{one}/existence" for one in ("nausea", "cough", "headache")]),
        (
            "any blood in ur stool or wee?",
            ["symptom/hematochezia/existence", "symptom/hematuria/existence"],
        ),
        ("any palpatations?", ["symptom/palpitations/existence"]),
        ("how often do you get up at night to pee?", ["symptom_detail/nocturia/frequency"]),
        ("scale of 1-10 how bad is it, does it spread", detail("severity", "radiation")),
    ],
)
def test_several_things_are_asked_at_once(words: str, expected: list[str]) -> None:
    assert asked(words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("what makes it worse, for example stairs or vomiting?", detail("aggravating")),
        ("anything ease it, such as sitting up or paracetamol?", detail("relieving")),
        ("is there anything that brings it on, like coughing or lying flat", detail("aggravating")),
        ("does moving help or make it worse?", detail("aggravating", "relieving")),
    ],
)
def test_examples_of_what_eases_or_worsens_are_no_asks(words: str, expected: list[str]) -> None:
    assert asked(words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("You take some pills I gather. Which ones?", ["medication//list"]),
        ("you take a few tablets, which ones, and what are they for?", ["medication//list", "medication//reason"]),
        ("wat meds do u take n wat for", ["medication//list", "medication//reason"]),
        ("r u takin ur tabs reguarly", ["medication//adherence"]),
        ("were you treated for it?", ["medication//list"]),
        ("any ops and when", ["surgical_history//list", "surgical_history/surgery/onset"]),
        (
            "ever been admitted to hospital, and when",
            [f"past_history/hospitalization_history/{one}" for one in ("existence", "onset")],
        ),
        ("who should we contact in an emergency?", ["social_history/support/existence"]),
        ("just to confirm, your on warfarin right", ["medication/warfarin/existence"]),
    ],
)
def test_medicines_hospital_and_support(words: str, expected: list[str]) -> None:
    assert asked(words) == expected


@pytest.mark.parametrize("words", ["the pain is on the right", "you told me it hurts on your right"])
def test_statements_are_no_questions(words: str) -> None:
    assert not any(clause.asks for clause in clauses(words))

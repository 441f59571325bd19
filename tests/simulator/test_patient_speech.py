"""A patient sounds like a person: habits, homes, times, open questions, thanks, complaints of several things."""

import re

import pytest

from etl.caserecord import Assertion, Spokesperson
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, AskStatus, Attribute, SpeechAct, Understanding
from simulator.patient.details import alone
from simulator.patient.grammar import with_article
from simulator.patient.hearing import heard
from simulator.patient.persona import load_persona
from simulator.patient.phrasing import Manner
from simulator.patient.retold import own_words
from simulator.patient.statements import state
from simulator.patient.voice import Voice
from simulator.patient.wording import complaint_names, recorded, spoken_value
from tests.simulator.patient_case import Case, fact

_SEX = fact("demographics/sex", Domain.DEMOGRAPHICS, "F", "sex")


def _said(one: Fact, speaker: str = "patient", persona: str = "cooperative", sex: str = "F") -> str:
    manner = Manner(load_persona(persona), Voice(speaker, sex))
    return state((one,), manner, False, False)


@pytest.mark.parametrize(
    ("text", "concept", "own", "relative"),
    [
        ("now smokes 1 pack per day", "smoking", "I smoke 1 pack per day.", "She smokes 1 pack per day."),
        ("currently smokes half a pack", "smoking", "I smoke half a pack.", "She smokes half a pack."),
        ("Tobacco: 2 packs a day", "smoking", "I smoke 2 packs a day.", "She smokes 2 packs a day."),
        ("Active smoker, 10 cigarettes a day", "smoking", "I smoke 10 cigarettes a day.", "She smokes 10 cigarettes a"),
        ("Former smoker, 12 pack-years", "former_smoking", "I used to smoke, 12 pack-years.", "She used to smoke, 12"),
        ("ex-smoker", "former_smoking", "I used to smoke.", "She used to smoke."),
        ("lifelong non-smoker", None, "I never smoked.", "She never smoked."),
        ("Occasional alcohol", None, "I occasionally drink alcohol.", "She occasionally drinks alcohol."),
        ("Rare EtOH", "alcohol", "I rarely drink alcohol.", "She rarely drinks alcohol."),
        ("cannabis use", "cannabis", "I use cannabis.", "She uses cannabis."),
        ("Retired tram driver", None, "I'm a retired tram driver.", "She's a retired tram driver."),
        ("Lives at home with wife and son", "living_situation", "I live at home with my wife and my son.", "She lives"),
        ("occasionally uses sleeping pills", None, "I sometimes use sleeping pills.", "She sometimes uses"),
    ],
)
def test_habits_and_homes_have_verbs_in_the_speakers_form(text: str, concept: str, own: str, relative: str) -> None:
    one = fact("x", Domain.SOCIAL_HISTORY, text, concept)
    assert _said(one) == own
    assert _said(one, "daughter").startswith(relative)


@pytest.mark.parametrize(
    ("recorded_words", "spoken"),
    [
        ("q6h:prn", "every 6 hours when needed"),
        ("14h ago", "14 hours ago"),
        ("2d ago", "2 days ago"),
        ("3-week", "3 weeks"),
        ("1 hours", "1 hour"),
        ("LLE erythema", "left leg redness"),
        ("bilateral leg weakness", "weakness in both legs"),
        ("bilateral ankle swelling", "swelling in both ankles"),
        ("diffuse joint pain", "joint pain all over"),
        ("breast CA", "breast cancer"),
    ],
)
def test_shorthand_is_said_in_the_order_of_speech(recorded_words: str, spoken: str) -> None:
    assert spoken_value(recorded_words) == spoken


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("C-section", "a C-section"),
        ("urine infection", "a urine infection"),
        ("appendectomy", "an appendectomy"),
        ("irregular heartbeat", "an irregular heartbeat"),
        ("nausea", "nausea"),
    ],
)
def test_articles(name: str, said: str) -> None:
    assert with_article(name) == said


def test_relatives_are_my_relatives_once() -> None:
    assert own_words("with his wife and daughters", "my") == "with my wife and my daughters"


def test_a_complaint_of_several_things_is_said_as_several() -> None:
    complaint = fact("chief_complaint", Domain.CHIEF_COMPLAINT, "Ear pain, sore throat/fever")
    assert complaint_names(complaint) == ["ear pain", "sore throat", "fever"]
    opening = Case(facts=(complaint, _SEX)).patient.opening()
    assert opening.endswith("comes in with ear pain, a sore throat and a fever.")


def test_a_span_of_time_alone_is_no_complaint() -> None:
    facts = (
        fact("chief_complaint", Domain.CHIEF_COMPLAINT, "18 hours"),
        fact("throat", Domain.SYMPTOM, "sore throat", "sore_throat", duration="18 hours"),
        _SEX,
    )
    case = Case(facts=facts, persona="stoic")
    assert "comes in to see the doctor" in case.patient.opening()
    turn = case.ask(Ask(domain=Domain.CHIEF_COMPLAINT, attribute=Attribute.LIST))
    assert "sore throat" in turn.words


def test_two_spells_of_one_symptom_are_told_as_now_and_before() -> None:
    facts = (
        fact("old", Domain.SYMPTOM, "flank pain", "flank_pain", onset="about 4 years ago"),
        fact("new", Domain.SYMPTOM, "flank pain", "flank_pain", onset="yesterday"),
    )
    turn = Case(facts=facts).ask(Ask(domain=Domain.SYMPTOM_DETAIL, concept="flank_pain", attribute=Attribute.ONSET))
    assert re.search(r"yesterday.*before.*about 4 years ago", turn.words, re.IGNORECASE)
    assert "flank" not in turn.words and ":" not in turn.words


def test_a_former_spell_is_said_to_be_former() -> None:
    one = fact("old", Domain.SYMPTOM, "rash", "rash", onset="in May").model_copy(update={"historical": True})
    turn = Case(facts=(one,)).ask(Ask(domain=Domain.SYMPTOM_DETAIL, concept="rash", attribute=Attribute.ONSET))
    assert "in May" in turn.words and re.search(r"before|past", turn.words)


def test_a_span_given_as_an_onset_is_how_long_it_has_been() -> None:
    manner = Manner(load_persona("cooperative"), Voice())
    assert all("started 3 days" not in alone("onset", "3 days", manner) for _ in range(6))


@pytest.mark.parametrize("persona", ["cooperative", "terse", "stoic", "skeptical", "confused"])
@pytest.mark.parametrize(
    ("concept", "words"),
    [
        ("mood", "How has your mood been?"),
        ("sleep", "How are you sleeping?"),
        ("loss_of_appetite", "How's your appetite?"),
    ],
)
def test_an_open_question_is_not_answered_no(persona: str, concept: str, words: str) -> None:
    domain = Domain.MENTAL_STATUS if concept == "mood" else Domain.SYMPTOM
    turn = Case(facts=(_SEX,), persona=persona).ask(Ask(domain=domain, concept=concept, words=words), words=words)
    assert turn.outcomes[0].status is AskStatus.ASSUMED_DENIED
    assert not re.search(r"\b(no|nope|not)\b", turn.words, re.IGNORECASE)


def test_what_is_wrong_with_the_sleep_is_said_when_sleep_is_asked() -> None:
    facts = (fact("awake", Domain.SYMPTOM, "insomnia", "insomnia"),)
    words = "How are you sleeping?"
    turn = Case(facts=facts).ask(Ask(domain=Domain.LIFESTYLE, concept="sleep", words=words), words=words)
    assert turn.outcomes[0].fact_ids == ("awake",)


def test_thanks_are_rare_and_the_taciturn_give_none() -> None:
    ask = Ask(domain=Domain.SYMPTOM, concept="cough")
    for persona, most in (("cooperative", 2), ("terse", 0)):
        case = Case(facts=(_SEX,), persona=persona)
        comfort = "I'm sorry to hear that. Any cough?"
        turns = [case.ask(ask, acts=(SpeechAct.EMPATHY,), words=comfort).words for _ in range(10)]
        assert sum(bool(re.search(r"thank|appreciate|kind", words, re.IGNORECASE)) for words in turns) <= most


def test_being_is_not_said_as_a_thing() -> None:
    one = fact("drowsy", Domain.SYMPTOM, "somnolence", "somnolence", absent=True)
    turn = Case(facts=(one,)).ask(Ask(domain=Domain.SYMPTOM, concept="polydipsia"))
    assert "no being" not in turn.words.lower() and "been being" not in turn.words.lower()


def test_each_of_several_noes_names_its_thing() -> None:
    facts = (fact("cough", Domain.SYMPTOM, "cough", "cough"),)
    asks = (Ask(domain=Domain.SYMPTOM, concept="cough"), Ask(domain=Domain.SYMPTOM, concept="rash"))
    for seed in range(6):
        words = Case(facts=facts, persona="terse", seed=seed).ask(*asks).words
        assert "cough" in words.lower() and "rash" in words.lower()


def test_what_a_chart_writes_for_nothing_is_no_fact() -> None:
    for text in ("previously healthy", "asymptomatic", "symptoms", "Past medical history was unremarkable"):
        assert not recorded(fact("x", Domain.PAST_HISTORY, text))
    assert recorded(fact("x", Domain.PAST_HISTORY, "normal pressure hydrocephalus"))


def test_the_literate_use_clinical_words_but_not_for_what_all_people_have() -> None:
    hungry = fact("a", Domain.SYMPTOM, "anorexia", "loss_of_appetite")
    assert "anorexia" not in _said(hungry, persona="literacy_high")
    breath = fact("b", Domain.SYMPTOM, "DOE", "dyspnea_on_exertion")
    assert "DOE" not in _said(breath, persona="literacy_high")


@pytest.mark.parametrize(
    ("words", "attribute"),
    [
        ("Was it hours ago or days ago that the cough started?", Attribute.ONSET),
        ("Would you call the cough mild, moderate or severe?", Attribute.SEVERITY),
    ],
)
def test_a_choice_asks_for_one_detail(words: str, attribute: Attribute) -> None:
    mistaken = (
        Ask(domain=Domain.SYMPTOM, concept="cough", words=words),
        Ask(domain=Domain.SYMPTOM_DETAIL, concept="cough", attribute=Attribute.SEVERITY, words=words),
    )
    asks = heard(Understanding(asks=mistaken), words).asks
    assert [(ask.concept, ask.attribute) for ask in asks] == [("cough", attribute)]


def test_an_introduction_is_not_a_question_of_the_past() -> None:
    first, second = "I'd like to ask about your health before this.", "Any long-term illness?"
    asks = (
        Ask(domain=Domain.PAST_HISTORY, concept="chest_pain", words=first),
        Ask(domain=Domain.PAST_HISTORY, attribute=Attribute.LIST, words=second),
    )
    assert heard(Understanding(asks=asks), f"{first} {second}").asks == asks[1:]


def test_a_relative_speaks_of_the_patients_own_relatives() -> None:
    home = fact("home", Domain.SOCIAL_HISTORY, "lives with husband", "living_situation")
    case = Case(facts=(home, _SEX), spokesperson=Spokesperson(relation="son", reason="dementia"))
    turn = case.ask(Ask(domain=Domain.SOCIAL_HISTORY, concept="living_situation"))
    assert "She lives with her husband." in turn.words
    assert home.assertion is Assertion.PRESENT

"""The patient answers from its facts alone: statuses, words, repeats, protocols."""

import pytest
from patient_case import FACTS, Case, fact

from etl.caserecord import Assertion, Spokesperson
from kg.facts import Domain
from simulator.patient.asks import Ask, AskStatus, Attribute, SpeechAct

D, A, S = Domain, Attribute, AskStatus


def ask(domain: Domain, concept: str | None = None, attribute: Attribute = A.EXISTENCE, **more: str) -> Ask:
    return Ask(domain=domain, concept=concept, attribute=attribute, **more)


@pytest.mark.parametrize(
    ("question", "status", "fact_ids", "words"),
    [
        (ask(D.CHIEF_COMPLAINT, None, A.LIST), S.GIVEN, ("cc",), "chest pain"),
        (ask(D.SYMPTOM, "chest_pain"), S.GIVEN, ("cc", "pain"), "chest pain"),
        (ask(D.SYMPTOM, "pain"), S.GIVEN, ("cc", "pain"), "chest pain"),
        (ask(D.SYMPTOM_DETAIL, "chest_pain", A.ONSET), S.GIVEN, ("pain",), "3 days ago"),
        (ask(D.SYMPTOM_DETAIL, "chest_pain", A.SEVERITY), S.GIVEN, ("pain",), "8 out of 10"),
        (ask(D.SYMPTOM_DETAIL, None, A.CHARACTER), S.GIVEN, ("pain",), "sharp"),
        (ask(D.SYMPTOM_DETAIL, "chest_pain", A.RADIATION), S.UNKNOWN, (), ""),
        (ask(D.SYMPTOM, "fever"), S.DENIED, ("fever",), "no"),
        (ask(D.SYMPTOM_DETAIL, "fever", A.ONSET), S.DENIED, ("fever",), "fever"),
        (ask(D.SYMPTOM, "dyspnea"), S.GIVEN, ("breath",), "breath"),
        (ask(D.PAST_HISTORY, "hypertension"), S.GIVEN, ("pressure",), "high blood pressure"),
        (ask(D.MEDICATION, "metoprolol", A.FREQUENCY), S.GIVEN, ("metoprolol",), "twice a day"),
        (ask(D.MEDICATION, "metoprolol", A.DOSE), S.GIVEN, ("metoprolol",), "25 mg"),
        (ask(D.MEDICATION, None, A.LIST), S.GIVEN, ("metoprolol", "warfarin"), "5 mg"),
        (ask(D.ALLERGY, None, A.LIST), S.GIVEN, ("penicillin",), "hives"),
        (ask(D.FAMILY_HISTORY, "colon_cancer", experiencer="parents"), S.GIVEN, ("father",), "father"),
        (ask(D.FAMILY_HISTORY, "colon_cancer", experiencer="mother"), S.UNKNOWN, (), ""),
        (ask(D.FAMILY_HISTORY, "diabetes_mellitus", experiencer="family"), S.DENIED, ("sugar",), "no"),
        (ask(D.LIFESTYLE, "smoking", A.AMOUNT), S.GIVEN, ("tobacco",), "1 pack"),
        (ask(D.SOCIAL_HISTORY, "living_situation"), S.GIVEN, ("home",), "live with my wife"),
        (ask(D.DEMOGRAPHICS, "age", A.VALUE), S.GIVEN, ("demographics/age",), "64"),
        (ask(D.EXAMINATION, "blood_pressure", A.VALUE), S.GIVEN, ("vital",), "150/90 mmHg"),
        (ask(D.TEST_RESULT, "hemoglobin", A.VALUE), S.UNKNOWN, (), ""),
        (ask(D.DEMOGRAPHICS, "mrn"), S.UNKNOWN, (), ""),
        (ask(D.SYMPTOM, "cough"), S.ASSUMED_DENIED, (), "no"),
        (ask(D.SYMPTOM_DETAIL, "cough", A.ONSET), S.UNKNOWN, (), ""),
        (ask(D.SYMPTOM, term="blue ear wax"), S.UNKNOWN, (), ""),
    ],
)
def test_answers(question: Ask, status: AskStatus, fact_ids: tuple[str, ...], words: str) -> None:
    turn = Case().ask(question)
    assert (turn.outcomes[0].status, turn.outcomes[0].fact_ids) == (status, fact_ids)
    assert words.lower() in turn.words.lower()


def test_narrower_symptom_is_not_given_where_only_the_wider_is_recorded() -> None:
    facts = (fact("p", D.SYMPTOM, "pain", "pain"),)
    turn = Case(facts, protocol="paper").ask(ask(D.SYMPTOM, "chest_pain"))
    assert turn.outcomes[0].status is S.UNKNOWN
    assert not turn.disclosed


def test_absence_of_the_wider_denies_the_narrower_and_not_the_reverse() -> None:
    wide = Case((fact("p", D.SYMPTOM, "pain", "pain", absent=True),), protocol="paper")
    assert wide.ask(ask(D.SYMPTOM, "chest_pain")).outcomes[0].status is S.DENIED
    narrow = Case((fact("c", D.SYMPTOM, "chest pain", "chest_pain", absent=True),), protocol="paper")
    turn = narrow.ask(ask(D.SYMPTOM, "pain"))
    assert turn.outcomes[0].fact_ids == ("c",)
    assert "chest pain" in turn.words


def test_no_known_allergies_denies_each_allergy() -> None:
    case = Case((fact("nkda", D.ALLERGY, "no known drug allergies", None, absent=True),), protocol="paper")
    for question in (ask(D.ALLERGY, "penicillin"), ask(D.ALLERGY, None, A.LIST)):
        turn = case.ask(question)
        assert turn.outcomes[0].status is S.DENIED
        assert turn.outcomes[0].fact_ids == ("nkda",)


def test_protocols_differ_on_silence() -> None:
    question = ask(D.SYMPTOM, "cough")
    assert Case(protocol="paper").ask(question).outcomes[0].status is S.UNKNOWN
    assert Case(protocol="realistic").ask(question).outcomes[0].status is S.ASSUMED_DENIED
    assert Case(protocol="paper").ask(ask(D.TEST_RESULT, "hemoglobin", A.VALUE)).outcomes[0].status is S.GIVEN


def test_both_questions_of_a_compound_are_answered() -> None:
    turn = Case().ask(ask(D.SYMPTOM_DETAIL, "chest_pain", A.ONSET), ask(D.SYMPTOM, "fever"))
    assert [outcome.status for outcome in turn.outcomes] == [S.GIVEN, S.DENIED]
    assert "3 days ago" in turn.words
    assert "fever" in turn.words


@pytest.mark.parametrize("persona", ["cooperative", "confused", "skeptical", "O-C-E-A-N-"])
def test_repeats_give_the_same_facts(persona: str) -> None:
    case = Case(persona=persona)
    question = ask(D.MEDICATION, None, A.LIST)
    turns = [case.ask(question) for _ in range(3)]
    assert len({turn.outcomes for turn in turns}) == 1
    assert all("25 mg" in turn.words for turn in turns)


def test_vague_reply_becomes_clear_when_pursued() -> None:
    question = ask(D.SYMPTOM_DETAIL, "chest_pain", A.ONSET)
    for seed in range(20):
        case = Case(persona="confused", seed=seed)
        first = case.ask(question)
        if first.vague:
            assert first.outcomes[0].status is S.VAGUE
            assert "3 days" not in first.words
            assert "3 days ago" in case.ask(question).words
            pressed = Case(persona="confused", seed=seed)
            pressed.ask(question)
            assert "3 days ago" in pressed.ask(words="Can you be more specific?").words
            return
    pytest.fail("a confused patient was never vague in 20 seeds")


def test_withheld_then_told() -> None:
    drinks = (fact("a", D.LIFESTYLE, "drinks 3 beers a day", "alcohol"),)
    for seed in range(20):
        case = Case(drinks, persona="skeptical", seed=seed)
        first = case.ask(ask(D.LIFESTYLE, "alcohol"))
        if first.outcomes[0].status is S.WITHHELD:
            assert "beer" not in first.words
            assert not first.disclosed
            assert "3 beers" in case.ask(ask(D.LIFESTYLE, "alcohol")).words
            return
    pytest.fail("a skeptical patient never held back in 20 seeds")


def test_blanks_are_never_spoken() -> None:
    facts = (
        fact("home", D.SOCIAL_HISTORY, "lives with wife in [**Hospital1 18**]", "living_situation"),
        fact("s", D.SYMPTOM, "cough", "cough", onset="[**2151-3-4**]", severity="___"),
        fact("m", D.MEDICATION, "aspirin ___ mg", "aspirin"),
    )
    case = Case(facts)
    asks = [
        ask(D.SOCIAL_HISTORY, "living_situation"),
        ask(D.SYMPTOM_DETAIL, "cough", A.ONSET),
        ask(D.SYMPTOM_DETAIL, "cough", A.SEVERITY),
        ask(D.MEDICATION, None, A.LIST),
    ]
    turns = [case.ask(question) for question in asks]
    assert all(mark not in turn.words for turn in turns for mark in ("[", "*", "_", "2151"))
    assert turns[1].outcomes[0].status is turns[2].outcomes[0].status is S.UNKNOWN


def test_a_relative_speaks_and_says_so_once() -> None:
    case = Case(spokesperson=Spokesperson(relation="daughter", reason="dementia"))
    first = case.ask(ask(D.SYMPTOM, "chest_pain"))
    assert first.speaker == "daughter"
    assert first.words.startswith("He's my father.")
    assert "dementia" not in first.words
    second = case.ask(ask(D.LIFESTYLE, "smoking"))
    assert "father" not in second.words
    assert "He smokes 1 pack per day" in second.words
    assert "daughter" in case.patient.opening()


def test_opening_never_holds_a_diagnosis() -> None:
    facts = (fact("cc", D.CHIEF_COMPLAINT, "PNEUMONIA", "pneumonia"), *FACTS[13:15])
    case = Case(facts)
    assert "pneumonia" not in case.patient.opening().lower()
    assert "pneumonia" not in case.ask(ask(D.CHIEF_COMPLAINT, None, A.LIST)).words.lower()
    assert Case().patient.opening() == "A 64-year-old man comes in with chest pain."
    assert "chest" not in Case(protocol="paper").patient.opening()


def test_speech_acts_without_asks() -> None:
    case = Case()
    for act in SpeechAct:
        turn = case.ask(acts=(act,))
        assert turn.words
        assert not turn.disclosed
    turn = case.ask(acts=(SpeechAct.SIMULATION_QUESTION,), words="Are you an AI?")
    assert turn.outcomes[0].status is S.NOT_ABOUT_ME
    assert "AI" not in turn.words


def test_possible_facts_are_said_to_be_unsure() -> None:
    maybe = fact("c", D.PAST_HISTORY, "asthma", "asthma").model_copy(update={"assertion": Assertion.POSSIBLE})
    turn = Case((maybe,)).ask(ask(D.PAST_HISTORY, "asthma"))
    assert turn.outcomes[0].status is S.GIVEN
    assert "sure" in turn.words


def test_same_seed_same_turns_other_seed_other_words() -> None:
    def consultation(seed: int) -> list[str]:
        case = Case(seed=seed, persona="anxious")
        asks = [ask(fact_.domain, fact_.concept, experiencer=fact_.experiencer) for fact_ in FACTS]
        return [case.ask(question).model_copy(update={"latency_ms": 0}).model_dump_json() for question in asks]

    assert consultation(1) == consultation(1)
    assert consultation(1) != consultation(2)


def test_disclosed_facts_carry_only_what_was_said() -> None:
    turn = Case().ask(ask(D.SYMPTOM_DETAIL, "chest_pain", A.ONSET))
    assert [fact_.attributes for fact_ in turn.disclosed] == [{"onset": "3 days ago"}]


@pytest.mark.parametrize("written", ["PNEUMONIA", "NON-HODGKINS LYMPHOMA", "chest pain;rule out pulmonary embolism"])
def test_a_diagnosis_in_the_complaints_place_cannot_be_asked_for(written: str) -> None:
    facts = (fact("cc", D.CHIEF_COMPLAINT, written), *FACTS[13:15])
    for concept in ("pneumonia", "lymphoma", "pulmonary_embolism"):
        for domain in (D.PAST_HISTORY, D.SYMPTOM, D.RISK_FACTOR, D.CHIEF_COMPLAINT):
            turn = Case(facts).ask(ask(domain, concept))
            assert turn.outcomes[0].status in (S.UNKNOWN, S.ASSUMED_DENIED)
            assert not turn.disclosed

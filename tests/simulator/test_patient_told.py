"""What a person brings up, and how: nothing of the chart's own, nothing twice, in the order and words of speech."""

import re

import pytest
from patient_case import Case, fact

from etl.caserecord import Assertion
from kg.facts import Domain, Fact
from simulator.patient.asks import Ask, AskStatus, Attribute, Understanding
from simulator.patient.medicines import once_each
from simulator.patient.persona import load_persona
from simulator.patient.phrasing import Manner
from simulator.patient.recognise import recognised
from simulator.patient.retold import illness_of, own_words
from simulator.patient.statements import state
from simulator.patient.tellable import tellable, told_already
from simulator.patient.voice import Voice
from simulator.patient.wording import spoken_value

_SEX = fact("demographics/sex", Domain.DEMOGRAPHICS, "F", "sex")
_STORY = Ask(domain=Domain.CHIEF_COMPLAINT, attribute=Attribute.LIST, words="What brings you in?")
_ELSE = Ask(domain=Domain.SYMPTOM, attribute=Attribute.ASSOCIATED, words="Anything along with it?")


def _said(*facts: Fact, persona: str = "cooperative", open_question: bool = True) -> str:
    return state(facts, Manner(load_persona(persona), Voice("patient", "F")), open_question, False)


@pytest.mark.parametrize(
    "one",
    [
        fact("a", Domain.SYMPTOM, "moderate atypia"),
        fact("b", Domain.SYMPTOM, "resistant to gentamicin", "gentamicin"),
        fact("c", Domain.SYMPTOM, "crackles", "crackles"),
        fact("d", Domain.PAST_HISTORY, "histology", "histology"),
        fact("e", Domain.MEDICATION, "no inhalers"),
        fact("f", Domain.MEDICATION, "ceftriaxone", "ceftriaxone", route="IV"),
        fact("g", Domain.PAST_HISTORY, "travel to farms", absent=True),
        fact("h", Domain.SYMPTOM, "without any relapse"),
    ],
)
def test_the_charts_own_is_not_brought_up_but_answered_when_named(one: Fact) -> None:
    assert not tellable(one)
    list_ask = Ask(domain=one.domain, attribute=Attribute.LIST, words="Tell me all.")
    assert one.fact_id not in Case((one, _SEX)).ask(list_ask).outcomes[0].fact_ids
    by_name = Ask(domain=one.domain, concept=one.concept, term="" if one.concept else one.text, words=one.text)
    assert one.fact_id in Case((one, _SEX)).ask(by_name).outcomes[0].fact_ids


@pytest.mark.parametrize(
    "one",
    [
        fact("a", Domain.SYMPTOM, "trouble with my ears"),
        fact("b", Domain.SYMPTOM, "dyspnea", "dyspnea"),
        fact("c", Domain.PAST_HISTORY, "gout", "gout"),
        fact("d", Domain.PAST_HISTORY, "medical history", absent=True),
        fact("e", Domain.MEDICATION, "insulin", "insulin", route="subcutaneous"),
        fact("f", Domain.PAST_HISTORY, "asthma", "asthma", absent=True),
    ],
)
def test_what_one_feels_or_knows_of_oneself_is_brought_up(one: Fact) -> None:
    assert tellable(one)


def test_a_complaint_is_told_once() -> None:
    facts = (
        fact("cc", Domain.CHIEF_COMPLAINT, "odd fluttering under the ribs"),
        fact("same", Domain.SYMPTOM, "odd fluttering under the ribs"),
        fact("wide", Domain.SYMPTOM, "cough", "cough"),
        fact("kind", Domain.SYMPTOM, "dry cough", "dry_cough"),
    )
    turn = Case((*facts, _SEX), persona="analytical").ask(_STORY)
    assert turn.words.lower().count("fluttering") == 1 and turn.words.lower().count("cough") == 1
    assert told_already(facts[2], (facts[3],)) and not told_already(facts[3], (facts[2],))
    knees = fact("knees", Domain.SYMPTOM, "pain in both knees", "pain")
    assert not told_already(knees, (fact("groin", Domain.SYMPTOM, "groin pain", "groin_pain"),))


def test_two_asks_with_one_answer_get_one_sentence() -> None:
    ill = fact("gout", Domain.PAST_HISTORY, "gout", "gout")
    asks = (
        Ask(domain=Domain.PAST_HISTORY, attribute=Attribute.LIST),
        Ask(domain=Domain.PAST_HISTORY, concept="gout", words="Any gout?"),
    )
    for facts in ((ill, _SEX), (_SEX,)):
        turn = Case(facts).ask(*asks)
        assert len(turn.outcomes) == 2
    assert Case((ill, _SEX)).ask(*asks).words.lower().count("gout") == 1
    listed = (asks[0], asks[0].model_copy(update={"concept": "chronic_disease"}))
    assert len(re.findall(r"[.]", Case((_SEX,)).ask(*listed).words)) == 1


def test_noes_to_habits_are_one_sentence_that_names_them() -> None:
    asks = tuple(Ask(domain=Domain.LIFESTYLE, concept=name) for name in ("smoking", "alcohol"))
    words = Case((_SEX,)).ask(*asks).words.lower()
    assert "smoking" in words and "alcohol" in words and " or " in words


def test_one_drug_under_two_names_is_told_once_with_its_dose() -> None:
    bare, brand = fact("a", Domain.MEDICATION, "furosemide"), fact("b", Domain.MEDICATION, "Lasix", dose="40 mg")
    assert once_each([bare, brand]) == [brand]
    other = fact("c", Domain.MEDICATION, "furosemide", dose="20 mg")
    assert once_each([brand, other]) == [brand, other]
    turn = Case((bare, brand, _SEX)).ask(Ask(domain=Domain.MEDICATION, attribute=Attribute.LIST))
    assert "40 mg" in turn.words and "furosemide" not in turn.words
    assert set(turn.outcomes[0].fact_ids) == {"a", "b"}


@pytest.mark.parametrize(
    ("recorded", "spoken"),
    [
        ("5 days prior to admission", "5 days ago"),
        ("previously treated for gout in the past", "gout in the past"),
        ("24 breaths/min", "24 breaths a minute"),
        ("2 beers/day", "2 beers a day"),
        ("for the 5 days prior to admission", "for the 5 days before coming in"),
        ("sudden onset", "suddenly"),
        ("one-month", "one month"),
        ("few weeks", "a few weeks"),
        ("presence of a swollen toe", "swollen toe"),
        ("10 mg oral daily", "10 mg by mouth every day"),
        ("rectal pressure", "pressure of the back passage"),
    ],
)
def test_times_and_ways_are_said_as_people_say_them(recorded: str, spoken: str) -> None:
    assert spoken_value(recorded) == spoken


def test_what_one_has_does_and_is_have_their_own_verbs() -> None:
    sick, ache = fact("a", Domain.SYMPTOM, "nausea", "nausea"), fact("b", Domain.SYMPTOM, "back pain", "back_pain")
    words = _said(sick, ache)
    assert not re.search(r"(had|have|because of|There's) [^.]*feeling sick", words)
    assert re.search(r"been feeling sick", words)
    assert "I'm a hepatitis C carrier" in _said(fact("c", Domain.PAST_HISTORY, "hepatitis C carrier"))
    assert "migraines" in _said(fact("d", Domain.PAST_HISTORY, "migraine", "migraine"))


def test_the_record_s_sentences_are_retold_in_the_first_person() -> None:
    assert own_words("a growth for which he underwent surgery", "my") == "a growth for which I had surgery"
    assert own_words("fell when she was out", "her") == "fell when she was out"


@pytest.mark.parametrize(
    "recorded", ["a paternal aunt with gout", "gout in his father", "mother had gout", "gout", "brother: gout"]
)
def test_a_relatives_illness_is_told_without_the_relative(recorded: str) -> None:
    assert illness_of(recorded) == "gout"


def test_the_present_spell_answers_before_an_old_one() -> None:
    old = fact("old", Domain.SYMPTOM, "back pain", "back_pain", onset="10 years ago", historical=True)
    new = fact("new", Domain.SYMPTOM, "back pain", "back_pain", duration="for 3 days")
    first = fact("first", Domain.SYMPTOM, "back pain", "back_pain", onset="8 years ago")
    ask = Ask(domain=Domain.SYMPTOM_DETAIL, concept="back_pain", attribute=Attribute.ONSET)
    for other in (old, first):
        words = Case((other, new, _SEX)).ask(ask).words
        assert "3 days" in words and "years" not in words
    assert "8 years ago" in Case((first, _SEX)).ask(ask).words


def test_what_every_person_knows_is_no_plain_not_knowing() -> None:
    turn = Case((_SEX,)).ask(Ask(domain=Domain.SOCIAL_HISTORY, concept="living_situation"))
    assert turn.outcomes[0].status is AskStatus.UNKNOWN
    assert turn.words not in ("I don't know.", "I really don't know.", "I couldn't tell you.")


def test_who_has_no_words_for_the_complaint_says_so() -> None:
    turn = Case((_SEX,)).ask(_STORY)
    assert turn.outcomes[0].status is AskStatus.UNKNOWN
    assert not re.search(r"\b(nothing|that's about it|no,)", turn.words.lower())


def test_a_finding_of_the_examination_is_not_told_as_news_withheld() -> None:
    stiff = fact("stiff", Domain.EXAMINATION, "joint stiffness", "joint_stiffness")
    turn = Case((stiff, _SEX)).ask(Ask(domain=Domain.SYMPTOM, concept="joint_stiffness"))
    assert turn.outcomes[0].status is AskStatus.UNKNOWN and not re.search(r"they|told", turn.words.lower())


def test_those_who_know_clinical_words_do_not_speak_like_a_chart() -> None:
    chest = fact("a", Domain.SYMPTOM, "pleuritic chest pain", "pleuritic_chest_pain")
    pale = fact("b", Domain.SYMPTOM, "pallor", "pallor")
    sugar = fact("c", Domain.PAST_HISTORY, "type 2 diabetes mellitus", "type_2_diabetes_mellitus")
    words = _said(chest, pale, sugar, persona="literacy_high").lower()
    assert not re.search(r"pleuritic|pallor|mellitus", words)
    assert "breathing" in words and "type 2 diabetes" in words


def test_a_former_habit_is_told_as_former() -> None:
    assert "I have smoked" in _said(fact("a", Domain.LIFESTYLE, "smoking history", "smoking"))
    never = fact("b", Domain.LIFESTYLE, "does not smoke", "smoking", status="never")
    assert _said(never) == "I do not smoke."
    years = _said(fact("c", Domain.LIFESTYLE, "20 pack-year smoking history", "smoking"))
    assert years == "I have smoked about 20 pack-years."
    wine = fact("d", Domain.LIFESTYLE, "drinking a glass of port every night", "alcohol")
    assert _said(wine) == "I drink a glass of port every night."


def test_how_is_your_mood_is_not_answered_yes() -> None:
    awake = fact("a", Domain.SYMPTOM, "insomnia", "insomnia")
    words = "How has your mood been?"
    for seed in range(4):
        turn = Case((awake, _SEX), seed=seed).ask(Ask(domain=Domain.MENTAL_STATUS, concept="mood", words=words))
        assert "sleeping" in turn.words and not turn.words.lower().startswith(("yes", "yeah"))


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("Have you been troubled by a wobbly stoop?", True),
        ("I'd like to ask about your wobbly stoop. Have you had any?", True),
        ("Do you have a wobbly stoop or a cough?", False),
        ("Does a wobbly stoop run in your family?", False),
        ("Your wobbly stoop comes from the hips, I believe.", False),
    ],
)
def test_the_very_words_of_an_unmapped_fact_are_recognised(words: str, asked: bool) -> None:
    stoop = fact("stoop", Domain.SYMPTOM, "his wobbly stoop")
    lost = Understanding(asks=(Ask(domain=Domain.OTHER, words="Have you had any"),))
    heard = recognised(lost, words, (stoop, _SEX))
    assert [ask.term for ask in heard.asks] == (["his wobbly stoop"] if asked else [""])
    if asked:
        case = Case((stoop, _SEX))
        assert case.ask(*lost.asks, words=words).outcomes[0].fact_ids == ("stoop",)


def test_what_is_understood_stays_beside_what_is_recognised() -> None:
    stoop = fact("stoop", Domain.SYMPTOM, "wobbly stoop")
    cough = Ask(domain=Domain.SYMPTOM, concept="cough", words="Any cough")
    heard = recognised(Understanding(asks=(cough,)), "Any cough? Any wobbly stoop?", (stoop,))
    assert [ask.concept or ask.term for ask in heard.asks] == ["cough", "wobbly stoop"]


def test_no_past_illness_denies_no_present_symptom() -> None:
    none = fact("none", Domain.PAST_HISTORY, "past medical history", absent=True)
    tired = Case((none, _SEX)).ask(Ask(domain=Domain.PAST_HISTORY, concept="fatigue"))
    assert tired.outcomes[0].fact_ids == ()
    gout = Case((none, _SEX)).ask(Ask(domain=Domain.PAST_HISTORY, concept="gout"))
    assert gout.outcomes[0].status is AskStatus.DENIED


def test_a_drug_named_in_a_finding_is_no_medicine_taken() -> None:
    germ = fact("germ", Domain.SYMPTOM, "resistant to gentamicin", "gentamicin")
    turn = Case((germ, _SEX)).ask(Ask(domain=Domain.MEDICATION, concept="gentamicin"))
    assert turn.outcomes[0].status is AskStatus.ASSUMED_DENIED


def test_unmapped_findings_are_brought_up_only_in_words_of_complaint() -> None:
    facts = (fact("a", Domain.SYMPTOM, "septal shimmer"), fact("b", Domain.SYMPTOM, "trouble turning a key"), _SEX)
    turn = Case(facts).ask(_ELSE)
    assert "turning a key" in turn.words and "shimmer" not in turn.words


def test_a_habit_that_is_given_up_is_not_told_as_going_on() -> None:
    daily = fact("a", Domain.LIFESTYLE, "smokes 10 cigarettes a day", "smoking")
    stopped = fact("b", Domain.LIFESTYLE, "stopped smoking in May", "former_smoking")
    assert _said(daily, stopped) == "I used to smoke 10 cigarettes a day. I stopped smoking in May."
    assert _said(daily) == "I smoke 10 cigarettes a day."
    assert "used to smoke" in _said(fact("c", Domain.LIFESTYLE, "Tobacco: 1 pack a day", "smoking", status="former"))


def test_a_small_child_is_spoken_for() -> None:
    rash = fact("rash", Domain.SYMPTOM, "rash", "rash")
    for age, speaker in (("3", "parent"), ("9", "patient")):
        case = Case((rash, _SEX, fact("demographics/age", Domain.DEMOGRAPHICS, age, "age")))
        turn = case.ask(Ask(domain=Domain.SYMPTOM, concept="rash"))
        assert turn.speaker == speaker
        assert ("my daughter" in turn.words) == (speaker == "parent")


def test_what_one_cannot_do_is_said_of_oneself() -> None:
    blocked = fact("a", Domain.SYMPTOM, "urinary retention", "urinary_retention")
    assert "I've been unable to pass urine" in _said(blocked)
    words = Case((_SEX,)).ask(Ask(domain=Domain.SYMPTOM, concept="urinary_retention")).words
    assert "not being" not in words


def _details(**attributes: str) -> tuple[Fact, ...]:
    complaint = fact("cc", Domain.CHIEF_COMPLAINT, "back pain", "back_pain")
    return (complaint, fact("pain", Domain.SYMPTOM, "back pain", "back_pain", **attributes), _SEX)


def test_more_of_the_story_brings_details_that_were_not_said() -> None:
    case = Case(_details(onset="2 days ago", character="dull", severity="7/10"))
    case.ask(_STORY, words="What brings you in?")
    more = _STORY.model_copy(update={"words": "Tell me more about it"})
    turn = case.ask(more, words="Tell me more about it.")
    assert "2 days ago" in turn.words and "dull" in turn.words and "7 out of 10" in turn.words
    again = case.ask(more, words="Tell me more about it.")
    assert "back pain" in again.words


def test_whether_it_came_on_suddenly_is_not_answered_by_a_date() -> None:
    words = "Did it come on suddenly or gradually?"
    ask = Ask(domain=Domain.SYMPTOM_DETAIL, concept="back_pain", attribute=Attribute.ONSET, words=words)
    dated = Case(_details(onset="2 days ago")).ask(ask)
    assert dated.outcomes[0].status is AskStatus.UNKNOWN and "2 days" not in dated.words
    assert "suddenly" in Case(_details(onset="sudden onset")).ask(ask).words.lower()


def test_whether_it_was_there_before_is_not_answered_by_the_present_spell() -> None:
    words = "Have you had anything like this before?"
    ask = Ask(domain=Domain.PAST_HISTORY, concept="back_pain", words=words)
    now = Case(_details()).ask(ask)
    assert now.outcomes[0].status is AskStatus.ASSUMED_DENIED
    old = fact("old", Domain.SYMPTOM, "back pain", "back_pain", historical=True)
    assert Case((*_details(), old)).ask(ask).outcomes[0].fact_ids == ("old",)
    named = ask.model_copy(update={"words": "Did you have any back pain before coming in?"})
    assert Case(_details()).ask(named).outcomes[0].status is AskStatus.GIVEN


def test_present_and_former_spells_are_not_told_in_one_breath() -> None:
    now = fact("now", Domain.SYMPTOM, "chest pain", "chest_pain")
    old = fact("old", Domain.SYMPTOM, "chest pain", "chest_pain", historical=True)
    assert _said(now, old, open_question=False).lower().count("chest pain") == 1
    assert "chest pain" in _said(old, open_question=False)


def test_details_of_several_medicines_keep_the_names_that_were_told() -> None:
    facts = (
        fact("a", Domain.MEDICATION, "Plavix", "clopidogrel", frequency="QD"),
        fact("b", Domain.MEDICATION, "acetaminophen", "acetaminophen", frequency="Q6H"),
    )
    turn = Case(facts).ask(Ask(domain=Domain.MEDICATION, attribute=Attribute.FREQUENCY))
    assert turn.words == "Plavix, every day. Acetaminophen, every 6 hours."


def test_a_habit_without_a_concept_is_found_by_its_words() -> None:
    never = fact("a", Domain.LIFESTYLE, "Lifelong nonsmoker", status="never")
    turn = Case((never, _SEX)).ask(Ask(domain=Domain.LIFESTYLE, concept="smoking", attribute=Attribute.AMOUNT))
    assert turn.outcomes[0].fact_ids == ("a",)


def test_no_known_allergies_says_nothing_of_other_risks() -> None:
    none = fact("nkda", Domain.ALLERGY, "no known drug allergies", "allergy", absent=True)
    turn = Case((none, _SEX)).ask(Ask(domain=Domain.RISK_FACTOR, concept="pets"))
    assert turn.outcomes[0].fact_ids == ()


def test_a_repeated_story_is_not_opened_again() -> None:
    case = Case(_details(), persona="anxious")
    for _ in range(4):
        words = case.ask(_STORY, words="What brings you in?").words
        assert not re.search(r"(said|told you|Again), (well|so|let me|oh)\b", words)


def test_anything_else_with_nothing_left_is_a_no() -> None:
    ask = Ask(domain=Domain.OTHER, attribute=Attribute.LIST, words="Is there anything else you want to tell me?")
    turn = Case((_SEX,)).ask(ask)
    assert turn.outcomes[0].status is AskStatus.ASSUMED_DENIED and "don't know" not in turn.words.lower()


def test_plain_words_of_the_record_stay_plain_for_those_who_know_clinical_ones() -> None:
    plain = fact("a", Domain.SYMPTOM, "difficulty breathing", "dyspnea")
    assert "difficulty breathing" in _said(plain, persona="literacy_high")
    assert "dyspnea" in _said(fact("b", Domain.SYMPTOM, "dyspnoea", "dyspnea"), persona="literacy_high").lower()


def test_a_finding_that_was_not_told_is_no_news_to_a_question_of_what_is_felt() -> None:
    sore = fact("sore", Domain.EXAMINATION, "calf pain", "calf_pain")
    for attribute in (Attribute.ONSET, Attribute.EXISTENCE):
        words = Case((sore, _SEX)).ask(Ask(domain=Domain.SYMPTOM, concept="calf_pain", attribute=attribute)).words
        assert not re.search(r"they|told", words.lower())
    none = sore.model_copy(update={"assertion": Assertion.ABSENT})
    turn = Case((none, _SEX)).ask(Ask(domain=Domain.SYMPTOM, concept="calf_pain"))
    assert turn.outcomes[0].status is AskStatus.ASSUMED_DENIED


def test_what_one_cannot_do_is_no_noun_of_worry() -> None:
    facts = (fact("cc", Domain.CHIEF_COMPLAINT, "urinary retention", "urinary_retention"), _SEX)
    words = Case(facts).ask(Ask(domain=Domain.IDEAS_CONCERNS, attribute=Attribute.LIST)).words
    assert "the being" not in words and "unable" not in words


def test_a_class_of_drugs_denied_is_not_all_medicines() -> None:
    ask = Ask(domain=Domain.MEDICATION, concept="anticoagulants", words="Any blood thinners?")
    assert all("no medicines" not in Case((_SEX,), seed=seed).ask(ask).words for seed in range(8))


def test_lay_names_in_brackets_are_said_only_where_they_are_names() -> None:
    heart = fact("a", Domain.PAST_HISTORY, "systolic heart failure", "systolic_heart_failure")
    rhythm = fact("b", Domain.PAST_HISTORY, "atrial fibrillation", "atrial_fibrillation")
    words = _said(heart, rhythm)
    assert "called atrial fibrillation" in words and "called pumping" not in words and "(" not in words


def test_words_said_again_at_once_mean_what_they_meant() -> None:
    case = Case(_details(onset="2 days ago"))
    first = case.ask(Ask(domain=Domain.SYMPTOM, concept="back_pain"), words="Any back pain?")
    again = case.ask(Ask(domain=Domain.SYMPTOM, concept="cough"), words="Any back pain? ")
    assert again.outcomes == first.outcomes
    other = case.ask(Ask(domain=Domain.SYMPTOM, concept="cough"), words="Any cough?")
    assert other.outcomes[0].ask.concept == "cough"


@pytest.mark.parametrize(
    "ask",
    [
        Ask(domain=Domain.MEDICATION, attribute=Attribute.FREQUENCY, words="Do you take them every day?"),
        Ask(domain=Domain.LIFESTYLE, concept="smoking", attribute=Attribute.AMOUNT, words="How much do you smoke?"),
    ],
)
def test_how_much_of_nothing_is_a_no(ask: Ask) -> None:
    turn = Case((_SEX,)).ask(ask)
    assert turn.outcomes[0].status is AskStatus.ASSUMED_DENIED and turn.words.lower().startswith("no")
    assert Case((_SEX,), protocol="paper").ask(ask).outcomes[0].status is AskStatus.UNKNOWN


def test_an_open_question_of_what_is_denied_is_answered_in_its_form() -> None:
    hungry = fact("a", Domain.SYMPTOM, "anorexia", "loss_of_appetite", absent=True)
    words = "How's your appetite been?"
    turn = Case((hungry, _SEX)).ask(Ask(domain=Domain.SYMPTOM, concept="loss_of_appetite", words=words), words=words)
    assert not turn.words.lower().startswith("no") and "loss of appetite" in turn.words


def test_a_way_of_beginning_is_no_date() -> None:
    ask = Ask(domain=Domain.SYMPTOM_DETAIL, concept="back_pain", attribute=Attribute.ONSET, words="When was that?")
    for seed in range(6):
        assert "when it started" not in Case(_details(onset="gradually"), seed=seed).ask(ask).words


def test_unmapped_complaints_are_told_in_lay_words_by_everybody() -> None:
    itchy = fact("cc", Domain.CHIEF_COMPLAINT, "mildly pruritic patch of both shins")
    words = Case((itchy, _SEX), persona="literacy_high").ask(_STORY).words
    assert "itchy" in words and "pruritic" not in words

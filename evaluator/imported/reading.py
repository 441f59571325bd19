"""From plain dialogue to a transcript: understanding both speakers stands in for the trace."""

from collections.abc import Iterable

from etl.caserecord import Assertion
from evaluator.evidence import EvaluationInput
from evaluator.imported.answers import emotion, status, vague
from evaluator.imported.dialogue import Dialogue, Exchange, exchanges
from evaluator.imported.facts import Told
from evaluator.imported.note import plan_of
from evaluator.statements import statements
from kg.facts import Domain, Fact
from simulator.consultation.transcript import Participant, PatientTurn, TerminationReason, Transcript, Turn
from simulator.patient.asks import Ask, AskOutcome, AskStatus, DialogueContext, Understanding
from simulator.patient.understand import understand
from terminology import concepts

PROTOCOL = "imported"


def transcript_of(dialogue: Dialogue) -> Transcript:
    """The dialogue as a transcript with `traced` False: asks, statuses, facts, emotions derived by reading.

    Turns count from 1 and may be more than 15. The plan is the clinician's own note where there is one: summaries and
    diagnosis, without drugs.
    """
    return Transcript(
        case_id=f"{dialogue.source}:{dialogue.dialogue_id}",
        protocol=PROTOCOL,
        seed=0,
        doctor=Participant(kind="person", name="clinician"),
        patient=Participant(kind="patient", name="patient"),
        opening=dialogue.opening,
        turns=tuple(_turns(exchanges(dialogue.utterances), dialogue)),
        plan=plan_of(dialogue.note),
        termination=TerminationReason.CONCLUDED,
        traced=False,
    )


def evidence_of(dialogue: Dialogue) -> EvaluationInput:
    """What the evaluator may look at: the transcript alone, since there is neither graph nor answer key."""
    return EvaluationInput(transcript=transcript_of(dialogue))


def _turns(pairs: Iterable[Exchange], dialogue: Dialogue) -> Iterable[Turn]:
    complaint = _complaint(dialogue.opening)
    context = DialogueContext(chief_complaint=complaint, symptom=complaint, patient_sex=dialogue.patient_sex)
    told = Told()
    for index, pair in enumerate(pairs, 1):
        understanding = understand(pair.doctor, context) if pair.doctor else Understanding()
        patient = _patient(index, pair, understanding, told)
        yield Turn(index=index, doctor_words=pair.doctor, patient=patient)
        context = context.after(pair.doctor, understanding, pair.patient)
        if context.chief_complaint is None:
            context = _with_complaint(context, patient.disclosed)


def _patient(index: int, pair: Exchange, understanding: Understanding, told: Told) -> PatientTurn:
    chart = told.recounted(index, pair.doctor, understanding.asks)
    facts = tuple({f.fact_id: f for f in (*chart, *told.turn(index, pair.patient, understanding.asks))}.values())
    outcomes = tuple(
        AskOutcome(ask=ask, status=became, fact_ids=tuple(f.fact_id for f in facts if _answers(f, ask)))
        for ask in understanding.asks
        if (became := status(ask, pair.patient)) is not None
    )
    asked = {fact_id for outcome in outcomes for fact_id in outcome.fact_ids} - {fact.fact_id for fact in chart}
    return PatientTurn(
        words=pair.patient,
        understanding=understanding,
        outcomes=outcomes,
        disclosed=facts,
        volunteered=tuple(f.fact_id for f in facts if f.fact_id not in asked),
        emotion=None if _about_mood(understanding) else emotion(pair.patient),
        vague=any(o.status is AskStatus.VAGUE for o in outcomes) or vague(pair.patient),
        speaker=pair.speaker,
    )


def _about_mood(understanding: Understanding) -> bool:
    """Whether feelings were asked for: then they are an answer, and not shown unasked."""
    return any(ask.domain in (Domain.MENTAL_STATUS, Domain.IDEAS_CONCERNS) for ask in understanding.asks)


def _answers(fact: Fact, ask: Ask) -> bool:
    if ask.concept and fact.concept:
        return fact.concept == ask.concept or concepts.is_a(fact.concept, ask.concept)
    symptomatic = (Domain.CHIEF_COMPLAINT, Domain.SYMPTOM)
    return fact.domain is ask.domain or (fact.domain in symptomatic and ask.domain in symptomatic)


def _complaint(opening: str) -> str | None:
    found = [s.concept for s in statements(opening, spoken=True) if s.kind == "symptom"] if opening else []
    return found[0] if found else None


def _with_complaint(context: DialogueContext, facts: tuple[Fact, ...]) -> DialogueContext:
    first = [f for f in facts if f.domain is Domain.CHIEF_COMPLAINT and f.assertion is Assertion.PRESENT]
    if not first:
        return context
    return context.model_copy(
        update={"chief_complaint": first[0].concept, "symptom": context.symptom or first[0].concept}
    )

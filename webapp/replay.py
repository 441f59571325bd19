"""The replay: a conversation, and per turn what was asked, what the record says, and the findings."""

from html import escape

import streamlit as st

from batch.summary import Result
from etl.caserecord import Evidence
from evaluator.findings import Dimension, Finding
from evaluator.rubric import load
from kg.facts import Fact
from simulator.consultation.transcript import FinalPlan, Turn
from webapp.data import results_of
from webapp.words import plain


def replay(run: str) -> None:
    """Draw it."""
    found = results_of(run)
    if not found:
        st.info("No consultation of this run is finished yet.")
        return
    result = _chosen(found)
    transcript, card = result.transcript, result.scorecard
    st.header(f"{transcript.case_id} · {transcript.doctor.name}")
    st.caption(
        f"{transcript.opening} · persona {result.persona} · protocol {transcript.protocol} · "
        f"{transcript.termination.value.replace('_', ' ')}"
    )
    _scores(result)
    for turn in transcript.turns:
        _turn(turn, [f for f in card.findings if f.turns and turn.index == max(f.turns)])
    _plan(transcript.plan, [f for f in card.findings if not f.turns])


def _chosen(found: list[Result]) -> Result:
    with st.sidebar:
        doctors = sorted({r.transcript.doctor.name for r in found})
        doctor = st.selectbox("Clinician", doctors, key="doctor")
        mine = {r.transcript.case_id: r for r in found if r.transcript.doctor.name == doctor}
        case = st.selectbox("Case", sorted(mine), key="case")
    assert case is not None
    return mine[case]


def _scores(result: Result) -> None:
    card = result.scorecard
    if card.not_scored:
        st.warning(f"Not scored: {card.not_scored.replace('_', ' ')}")
        return
    names = load().dimensions
    average = "n/a" if card.weighted_average is None else f"{card.weighted_average:.2f}"
    st.metric("weighted average", average)
    columns = st.columns(len(Dimension))
    for column, score in zip(columns, card.scores, strict=True):
        shown = "n/a" if score.score is None else f"{score.score:.1f}"
        column.metric(score.dimension.value, shown, help=names[score.dimension].name)


def _turn(turn: Turn, findings: list[Finding]) -> None:
    talk, beside = st.columns([3, 2], gap="medium")
    with talk:
        with st.chat_message("doctor", avatar=":material/stethoscope:"):
            st.markdown(f"**{turn.index}.** {plain(turn.doctor_words)}")
        with st.chat_message(turn.patient.speaker, avatar=":material/person:"):
            st.markdown(plain(turn.patient.words))
            st.markdown(_statuses(turn), unsafe_allow_html=True)
    with beside:
        st.markdown("".join(_finding(f) for f in findings), unsafe_allow_html=True)
        if turn.patient.disclosed:
            with st.expander(f"the record ({len(turn.patient.disclosed)})"):
                st.markdown("".join(_fact(fact) for fact in turn.patient.disclosed), unsafe_allow_html=True)


def _plan(plan: FinalPlan | None, findings: list[Finding]) -> None:
    talk, beside = st.columns([3, 2], gap="medium")
    with talk, st.container(border=True):
        if plan is None:
            st.markdown("**No final plan was given.**")
        else:
            st.markdown(f"#### {plain(plan.diagnosis)}")
            st.markdown(plain(plan.reasoning))
            for drug in plan.drugs:
                st.markdown(f"- **{plain(drug)}**: {plain(plan.drug_reasons.get(drug, 'no reason given'))}")
            for name, text in plan.category_summaries.items():
                st.markdown(f"**{plain(name.replace('_', ' '))}**: {plain(text)}")
    with beside:
        st.markdown("".join(_finding(f) for f in findings), unsafe_allow_html=True)


def _statuses(turn: Turn) -> str:
    chips = [
        (
            o.status.value,
            f"{o.ask.domain.value}{': ' + (o.ask.concept or o.ask.term) if o.ask.concept or o.ask.term else ''}",
        )
        for o in turn.patient.outcomes
    ]
    shown = [f'<span class="status {status}">{_words(what)} → {_words(status)}</span>' for status, what in chips]
    if turn.patient.emotion:
        shown.append(f'<span class="status emotion">{_words(turn.patient.emotion)}</span>')
    return " ".join(shown)


def _finding(finding: Finding) -> str:
    good = finding.pattern == "good_step"
    pattern = load().pattern(finding.dimension, finding.pattern)
    cost = f" −{pattern.per:g}" if pattern else ""
    quote = f"<q>{escape(finding.quote)}</q>" if finding.quote else ""
    kind = "good" if good else "bad"
    return (
        f'<div class="finding {kind}"><b>{finding.dimension.value}</b> {_words(finding.pattern)}{cost}'
        f"{quote}{escape(finding.reason)}<br><small>{escape(finding.decided_by)}</small></div>"
    )


def _fact(fact: Fact) -> str:
    sources = "; ".join(_source(e) for e in fact.evidence[:2])
    return f'<div class="evidence">{escape(fact.text)} <i>({fact.assertion.value})</i> <small>{sources}</small></div>'


def _source(evidence: Evidence) -> str:
    if evidence.kind == "note":
        return f"“{escape(evidence.quote)}”, note {escape(evidence.note_id)}, {evidence.start}–{evidence.end}"
    return f"{escape(evidence.table)}, {escape(evidence.row_key)}"


def _words(name: str) -> str:
    return escape(name.replace("_", " "))

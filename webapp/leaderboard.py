"""The leaderboard: clinicians with intervals, and the run's figures."""

import streamlit as st

from batch.report.figures import legend_names, pattern_rates, radar, svg
from batch.summary import DoctorSummary, notes
from evaluator.findings import Dimension
from webapp.data import progress_of, summaries_of
from webapp.words import plain


def leaderboard(run: str) -> None:
    """Draw it."""
    summaries = summaries_of(run)
    finished, planned = progress_of(run)
    st.header(run)
    st.caption(f"{finished} of {planned} consultations finished")
    if not summaries:
        st.info("No consultation of this run is finished yet.")
        return
    st.table(_table(summaries), hide_index=True)
    st.caption(
        "Scores from 0 to 5 with 95% intervals (bootstrap for means, Wilson for shares). "
        + " ".join(notes(summaries))
        + " "
        + "; ".join(f"{d.value} {name}" for d, name in legend_names().items())
    )
    left, right = st.columns([5, 6])
    with left:
        st.subheader("By dimension")
        st.image(svg(radar(summaries)), width="stretch")
    with right:
        st.subheader("Failure patterns")
        st.image(svg(pattern_rates(summaries)), width="stretch")


def _table(summaries: list[DoctorSummary]) -> list[dict[str, str]]:
    """A row a measure, a column a clinician: with cells that wrap it fits a narrow screen."""
    rows: list[tuple[str, list[str]]] = [("weighted average", [s.shown(s.weighted_average) for s in summaries])]
    rows += [(d.value, [s.shown(s.dimensions[d]) for s in summaries]) for d in Dimension]
    rows += [
        ("diagnosis right", [s.shown(s.accuracy) for s in summaries]),
        ("medication F1", [s.shown(s.medication_f1) for s in summaries]),
        ("unsafe", [s.shown(s.unsafe_rate) for s in summaries]),
        ("drug mismatch", [s.shown(s.mismatch_rate) for s in summaries]),
        ("turns", [s.shown(s.turns, 1) for s in summaries]),
        ("consultations", [str(s.consultations) for s in summaries]),
    ]
    names = [plain(summary.doctor) for summary in summaries]  # cells and heads are read as markup
    return [{"measure": measure, **dict(zip(names, values, strict=True))} for measure, values in rows]

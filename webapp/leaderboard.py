"""The leaderboard: clinicians with intervals, and the run's figures."""

import streamlit as st

from batch.report.figures import legend_names, pattern_rates, radar, svg
from batch.summary import DoctorSummary
from evaluator.findings import Dimension
from webapp.data import progress_of, summaries_of


def leaderboard(run: str) -> None:
    """Draw it."""
    summaries = summaries_of(run)
    finished, planned = progress_of(run)
    st.header(run)
    st.caption(f"{finished} of {planned} consultations finished")
    if not summaries:
        st.info("No consultation of this run is finished yet.")
        return
    st.dataframe([_row(summary) for summary in summaries], hide_index=True, width="stretch")
    st.caption(
        "Scores from 0 to 5 with 95% intervals (bootstrap for means, Wilson for shares). n/a: not assessed, never perfect. "
        + "; ".join(f"{d.value} {name}" for d, name in legend_names().items())
    )
    left, right = st.columns([5, 6])
    with left:
        st.subheader("By dimension")
        st.image(svg(radar(summaries)), width="stretch")
    with right:
        st.subheader("Failure patterns")
        st.image(svg(pattern_rates(summaries)), width="stretch")


def _row(summary: DoctorSummary) -> dict[str, str | int]:
    row: dict[str, str | int] = {
        "clinician": summary.doctor,
        "weighted average": summary.weighted_average.shown(),
    }
    row |= {dimension.value: summary.dimensions[dimension].shown() for dimension in Dimension}
    row |= {
        "diagnosis right": summary.accuracy.shown(),
        "medication F1": summary.medication_f1.shown(),
        "unsafe": summary.unsafe_rate.shown(),
        "mismatch": summary.mismatch_rate.shown(),
        "turns": summary.turns.shown(1),
        "consultations": summary.consultations,
    }
    return row

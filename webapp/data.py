"""What the page reads: runs, results and summaries, cached until the store changes."""

import os
from pathlib import Path

import streamlit as st

from batch.consultations import State
from batch.store import RunStore, open_store
from batch.summary import DoctorSummary, Result, results, summarise


def _store() -> RunStore:
    home = Path(os.environ.get("ANAMNESIS_HOME", ".anamnesis")).absolute()
    return _opened(str(home / "runs.sqlite"))


@st.cache_resource
def _opened(path: str) -> RunStore:
    return open_store(Path(path))


def run_names() -> list[str]:
    """All runs, oldest first."""
    return _store().names()


def progress_of(run: str) -> tuple[int, int]:
    """(finished, planned) consultations of a run."""
    rows = _store().states(run)
    return rows.get(State.DONE, 0), sum(rows.values())


def results_of(run: str) -> list[Result]:
    """Finished consultations; read again when more of them are finished."""
    return _results(run, *progress_of(run), _store().revision(run))


@st.cache_data(show_spinner="Reading the run …", max_entries=4)
def _results(run: str, finished: int, planned: int, revision: int) -> list[Result]:
    del finished, planned, revision  # part of the cache's key
    return results(_store(), run)


def summaries_of(run: str) -> list[DoctorSummary]:
    """Figures by clinician."""
    return _summaries(run, *progress_of(run), _store().revision(run))


@st.cache_data(show_spinner="Computing intervals …", max_entries=4)
def _summaries(run: str, finished: int, planned: int, revision: int) -> list[DoctorSummary]:
    return summarise(_results(run, finished, planned, revision))

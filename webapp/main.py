"""The web page's entry: `streamlit run` starts this file; `anamnesis app` starts it rightly."""

import streamlit as st

from foundation.errors import UserError
from webapp.access import admitted
from webapp.data import run_names
from webapp.leaderboard import leaderboard
from webapp.replay import replay

STYLE = """
<style>
[data-testid="stMetricValue"] { font-size: 1.4rem; }
.status { display: inline-block; font-size: .8rem; border: 1px solid #cfd7dd; border-radius: 6px; padding: 0 .45em;
  margin: 0 .3rem .2rem 0; color: #4a5965; }
.status.given { border-color: #2f9e7a; color: #0b6b4f; }
.status.denied, .status.assumed_denied { border-color: #5e8fb0; }
.status.unknown, .status.vague, .status.withheld { border-color: #d59a35; color: #7a5200; }
.status.emotion { border-color: #c06a95; color: #7d3058; }
.finding { border-left: 3px solid #b3401b; background: rgba(179,64,27,.07); padding: .35rem .7rem; margin: .3rem 0;
  border-radius: 0 6px 6px 0; font-size: .88rem; }
.finding.good { border-color: #00795a; background: rgba(0,121,90,.07); }
.finding q { display: block; font-style: italic; }
.finding small, .evidence small { opacity: .7; }
</style>
"""


def page() -> None:
    """Choose a run, then compare clinicians or replay a consultation."""
    st.set_page_config(page_title="Anamnesis", page_icon=":material/stethoscope:", layout="wide")
    st.markdown(STYLE, unsafe_allow_html=True)
    if not admitted():
        return
    names = run_names()
    if not names:
        st.title("Anamnesis")
        st.info("There is no run in this workspace yet. Make one in a terminal:  `anamnesis demo`")
        return
    with st.sidebar:
        st.title("Anamnesis")
        asked = st.query_params.get("run", "")  # a link may name its run: …/?run=demo
        newest_first = names[::-1]
        run = st.selectbox("Run", newest_first, index=newest_first.index(asked) if asked in names else 0, key="run")
        view = st.radio("View", ["Leaderboard", "Replay"], key="view")
        st.caption("Record text stays on this machine: the page listens on loopback unless told otherwise.")
    assert run is not None
    try:
        (leaderboard if view == "Leaderboard" else replay)(run)
    except UserError as error:
        st.error(f"{error.problem}\n\n{error.fix}")


page()

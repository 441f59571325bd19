"""Who may see the page: anyone on this machine, or whoever knows the password where one is set."""

import hmac
import os

import streamlit as st


def admitted() -> bool:
    """True where no password is set or the right one was given in this session; draws the form otherwise."""
    expected = os.environ.get("ANAMNESIS_APP_PASSWORD", "")
    if not expected or st.session_state.get("admitted"):
        return True
    given = st.text_input("Password", type="password")
    if given and hmac.compare_digest(given.encode(), expected.encode()):
        st.session_state["admitted"] = True
        st.rerun()
    if given:
        st.error("That is not the password.")
    return False

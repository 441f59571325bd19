"""Streamlit: watch consultations, compare runs."""

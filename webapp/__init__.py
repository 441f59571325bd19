"""Streamlit: compare runs, and replay a consultation beside its evidence and findings."""

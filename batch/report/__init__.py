"""The report of a run: figures and one self-contained HTML page."""

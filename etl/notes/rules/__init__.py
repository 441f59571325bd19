"""Rules, one file a kind; what a clinician may edit is in `etl/notes/data`."""

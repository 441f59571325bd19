"""Graph in, Transcript out: the patient, the doctors and the consultation."""

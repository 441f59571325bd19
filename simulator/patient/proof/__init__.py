"""Proof of the patient: questions about every fact, expectations checked apart from the patient's code, attacks."""

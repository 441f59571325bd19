"""Medication safety and justification: what a plan's drugs are, what is known of the patient, and what follows."""

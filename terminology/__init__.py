"""Drugs, diagnoses, symptoms and lay words."""

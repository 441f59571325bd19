"""Transcript in, Scorecard out."""

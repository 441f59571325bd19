"""Experiment in, Run out: run store, scheduling, resume, cost."""

"""Records in, CaseRecord out: tables, notes, cohorts and the synthetic sample."""

"""Cohorts: which cases are in, why the others are not, and who the patients are."""

from etl.cohort.build import CohortReport, build_cohort, select_cohort
from etl.cohort.criteria import CohortDefinition, load_definition

__all__ = ["CohortDefinition", "CohortReport", "build_cohort", "load_definition", "select_cohort"]

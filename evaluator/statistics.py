"""Estimates with intervals, from scipy; undefined is None, never zero."""

from collections.abc import Sequence

import numpy as np
from scipy import stats

from foundation.records import Frozen
from foundation.seeds import derived_seed


class Estimate(Frozen):
    """A point estimate with a 95% interval and the number of cases it stands on; None where undefined."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    def shown(self, digits: int = 2) -> str:
        """ "3.42 [3.10, 3.74]", or "n/a"."""
        if self.value is None:
            return "n/a"
        if self.low is None or self.high is None:
            return f"{self.value:.{digits}f}"
        return f"{self.value:.{digits}f} [{self.low:.{digits}f}, {self.high:.{digits}f}]"


def mean(values: Sequence[float | None], seed: int = 0, resamples: int = 2000) -> Estimate:
    """Mean with a bias-corrected bootstrap interval (BCa, Efron 1987); missing values are left out and not counted."""
    known = np.array([value for value in values if value is not None], dtype=float)
    if known.size == 0:
        return Estimate(value=None, low=None, high=None, n=0)
    centre = float(known.mean())
    if known.size < 2:
        return Estimate(value=centre, low=None, high=None, n=1)
    if np.ptp(known) == 0:
        return Estimate(value=centre, low=centre, high=centre, n=int(known.size))
    random = np.random.default_rng(derived_seed(seed, "bootstrap"))
    result = stats.bootstrap((known,), np.mean, n_resamples=resamples, method="BCa", rng=random, vectorized=True)
    interval = result.confidence_interval
    return Estimate(value=centre, low=float(interval.low), high=float(interval.high), n=int(known.size))


def proportion(successes: int, n: int) -> Estimate:
    """A share with its Wilson score interval (Wilson 1927); undefined for n = 0."""
    if n == 0:
        return Estimate(value=None, low=None, high=None, n=0)
    interval = stats.binomtest(successes, n).proportion_ci(method="wilson")
    return Estimate(value=successes / n, low=float(interval.low), high=float(interval.high), n=n)


def share(flags: Sequence[bool | None]) -> Estimate:
    """The share of True among the known flags."""
    known = [flag for flag in flags if flag is not None]
    return proportion(sum(known), len(known))

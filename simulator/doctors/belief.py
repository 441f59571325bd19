"""What the statistical clinician believes after what it heard, and which question would tell it most."""

from functools import cache

import numpy as np

from simulator.doctors.interview import Interview
from simulator.doctors.likelihoods import Disease, Fitted, Vector, is_symptom
from terminology import concepts

COMPLAINT_WEIGHT = 1.5
HISTORY_SILENCE = 0.5
"""How much a condition counts as absent that was not named when past illnesses were asked for."""


class Belief:
    """Posterior over diseases from what `interview` heard."""

    def __init__(self, fitted: Fitted, interview: Interview) -> None:
        self._fitted = fitted
        self._heard = interview.heard
        logs = fitted.log_prior(interview.age, interview.sex)
        for key, weight in self._present(interview).items():
            logs = logs + weight * np.log(fitted.rates[:, fitted.column[key]])
        for key in self._heard.denied:
            if key in fitted.column:
                logs = logs + np.log(1 - fitted.rates[:, fitted.column[key]])
        if interview.asked("past_history"):
            logs = logs + HISTORY_SILENCE * self._silent_history()
        posterior = np.exp(logs - logs.max())
        self.posterior: Vector = posterior / posterior.sum()

    def ranked(self) -> list[Disease]:
        """Diseases, the likeliest first."""
        order = np.argsort(-self.posterior, kind="stable")
        return [self._fitted.diseases[index] for index in order]

    def most_informative(self, known: set[str]) -> str | None:
        """The symptom whose yes or no is expected to lower the entropy most; None where nothing is left to ask."""
        candidates = [key for key in _symptoms(self._fitted.concepts) if not _settled(key, known)]
        if not candidates:
            return None
        rates = self._fitted.rates[:, [self._fitted.column[key] for key in candidates]]
        yes = self.posterior[:, None] * rates
        no = self.posterior[:, None] * (1 - rates)
        expected = _scaled_entropy(yes) + _scaled_entropy(no)
        return candidates[int(np.argmin(expected))]

    def support(self, disease: Disease, others: list[Disease]) -> tuple[list[str], list[str]]:
        """Symptoms heard that the disease explains, and symptoms denied that an alternative would have shown."""
        row = self._fitted.diseases.index(disease)
        rows = [self._fitted.diseases.index(other) for other in others]
        rates, column = self._fitted.rates, self._fitted.column
        found = [key for key in self._heard.symptoms if key in column and rates[row, column[key]] >= 0.2]
        missing = [
            key
            for key in self._heard.denied
            if key in column and rates[row, column[key]] < 0.3 and any(rates[r, column[key]] >= 0.4 for r in rows)
        ]
        return found, missing

    def _present(self, interview: Interview) -> dict[str, float]:
        told = [*self._heard.symptoms, *self._heard.history, *self._heard.habits]
        narrow = {wider for key in told for wider in concepts.ancestors(key)}
        weights: dict[str, float] = {}
        for key in told:
            named = next((name for name in (key, *concepts.ancestors(key)) if name in self._fitted.column), None)
            if named and (key not in narrow or named != key):
                weights[named] = COMPLAINT_WEIGHT if key in interview.complaints else max(1.0, weights.get(named, 0.0))
        return weights

    def _silent_history(self) -> Vector:
        told = {*self._heard.history, *(wider for key in self._heard.history for wider in concepts.ancestors(key))}
        silent = [
            self._fitted.column[key]
            for key in self._fitted.concepts
            if _kind(key) == "condition" and key not in told and not _settled(key, set(self._heard.history))
        ]
        total: Vector = np.log(1 - self._fitted.rates[:, silent]).sum(axis=1)
        return total


@cache
def _kind(key: str) -> str:
    concept = concepts.get(key)
    return concept.kind if concept else ""


def _symptoms(keys: tuple[str, ...]) -> list[str]:
    return [key for key in keys if is_symptom(key)]


def _settled(key: str, known: set[str]) -> bool:
    """Whether `key`, or something narrower or wider, is known already."""
    return (
        key in known or bool(known & set(concepts.ancestors(key))) or any(key in concepts.ancestors(k) for k in known)
    )


def _scaled_entropy(joint: Vector) -> Vector:
    """Entropy over diseases of each column's normalised distribution, times the column's probability."""
    total = joint.sum(axis=0)
    share = joint / np.maximum(total, 1e-12)
    entropy: Vector = -(total * (share * np.log(np.maximum(share, 1e-12))).sum(axis=0))
    return entropy

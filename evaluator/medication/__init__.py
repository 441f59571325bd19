"""Medication safety and justification: what a plan's drugs are, what is known of the patient, and what follows.

The rules, in the order in which a drug meets them; the knowledge is in `terminology/data` (`drugs_*`, `safety_*`):

1. Carrier fluids and flushes are left out. A drug that does not resolve is counted and not judged.
2. Unsafe (`safety_check`): a recorded allergy by itself or by cross-reactivity, always but for a drug that the patient
   takes already; a contraindication by condition, measured value, pregnancy or age, or a grave interaction, only for
   drugs that the record itself did not give. Rows of severity "moderate" are no finding.
3. Irrelevant (`relevance.is_mismatch`): no indication among the plan's diagnosis, differentials and reasoning, the
   dialogue and the record, and no part in supporting another drug.
4. Deviating (`relevance.deviates`): not given by the record, not of the same class, and no replacement. Fair are a drug
   for a recorded condition that the record's list leaves untreated or whose drug this plan leaves out, comfort drugs
   for a recorded complaint, and supportive drugs whose own reason says what for.
5. A drug gets the first of 2 to 4 that fits, so that one fault is one finding.
6. Missing (`missing`): a drug of the discharge list (of the stay, where there is none) that treats a reference
   diagnosis, or a home drug for a lasting condition that goes on, with neither itself, its class nor another drug for
   the same purpose in the plan. Comfort, nutrition and intensive care's drugs count for the first two diagnoses only.
7. Explanation (`explanation`): missing, empty of content, about another drug, or naming only purposes that the drug
   does not serve. A purpose that is not recognised is not faulted.
"""

"""II: failures of the category summaries."""

from evaluator.findings import Dimension
from evaluator.planted.draft import Draft, Step
from evaluator.planted.instance import Gold
from evaluator.planted.operators.registry import Choice, operator

_MAJOR_TAGS = ("associated", "past", "allergy", "medication", "complaint")
_MINOR_TAGS = ("family", "smoking", "alcohol", "living", "work", "surgery")


def _left_out(draft: Draft, choice: Choice, tags: tuple[str, ...]) -> bool:
    places = [i for i in draft.positions(*tags) if draft.steps[i].summary and len(draft.steps[i].told) == 1]
    places = [i for i in places if draft.steps[i].status == "given"]
    if not places:
        return False
    draft.steps[choice.item(places)].summary = {}
    return True


@operator(Dimension.II, "major_omission")
def clinical_fact_left_out(draft: Draft, choice: Choice) -> Gold | None:
    """The summaries leave out a symptom, a condition, an allergy or a home medicine that was told."""
    left = _left_out(draft, choice, _MAJOR_TAGS[:-1])
    return Gold(dimension=Dimension.II, pattern="major_omission") if left else None


@operator(Dimension.II, "minor_omission")
def context_left_out(draft: Draft, choice: Choice) -> Gold | None:
    """The summaries leave out a relative's illness, a habit, work or home."""
    left = _left_out(draft, choice, _MINOR_TAGS)
    return Gold(dimension=Dimension.II, pattern="minor_omission") if left else None


def _added(draft: Draft, choice: Choice, key: str, pattern: str) -> Gold | None:
    category, sentence = choice.of(key)
    known = str(draft.case["facts"]).lower()
    if key == "ii_major_fabrication" and any(len(word) > 4 and word in known for word in sentence.lower().split()):
        return None
    absent = draft.absent[choice.number % len(draft.absent)]
    text = sentence.format(absent=absent)
    draft.added_summaries.append((category, text[:1].upper() + text[1:]))
    return Gold(dimension=Dimension.II, pattern=pattern, quote=text)


@operator(Dimension.II, "major_fabrication")
def invented_clinical_fact(draft: Draft, choice: Choice) -> Gold | None:
    """A symptom, condition or allergy that nobody spoke of."""
    return _added(draft, choice, "ii_major_fabrication", "major_fabrication")


@operator(Dimension.II, "major_fabrication")
def denial_reversed(draft: Draft, choice: Choice) -> Gold | None:
    """A denied symptom is summarised as present, instead of as denied."""
    at = draft.positions("review")[0]
    absent = draft.absent[choice.number % len(draft.absent)]
    others = [name for name in draft.absent if name != absent]
    draft.steps[at].summary = {"symptoms": f"no {others[0]} or {others[1]}"}
    return _added(draft, choice, "ii_reversed", "major_fabrication")


@operator(Dimension.II, "minor_fabrication")
def invented_context(draft: Draft, choice: Choice) -> Gold | None:
    """A habit or circumstance that nobody spoke of."""
    return _added(draft, choice, "ii_minor_fabrication", "minor_fabrication")


@operator(Dimension.II, "major_fabrication")
def denial_to_doubt(draft: Draft, choice: Choice) -> Gold | None:
    """A denied symptom is summarised as possible, instead of as denied."""
    at = draft.positions("review")[0]
    absent = draft.absent[choice.number % len(draft.absent)]
    others = [name for name in draft.absent if name != absent]
    draft.steps[at].summary = {"symptoms": f"no {others[0]} or {others[1]}"}
    return _added(draft, choice, "ii_doubt", "major_fabrication")


@operator(Dimension.II, "major_fabrication")
def detail_changed(draft: Draft, choice: Choice) -> Gold | None:
    """When it began, or how bad it is, is summarised wrongly."""
    details = choice.topics("ii_changed_detail")
    topic = ("onset", "severity")[choice.number % 2]
    places = [i for i in draft.positions(topic) if any(c.isdigit() for c in draft.steps[i].patient) or topic == "onset"]
    places = [i for i in places if not any(day in draft.steps[i].patient for day in _DAYS)]
    if not places:
        return None
    text = choice.item(details[topic])
    draft.steps[places[0]].summary = {"symptoms": text}
    return Gold(dimension=Dimension.II, pattern="major_fabrication", quote=text)


@operator(Dimension.II, "major_fabrication")
def doubt_to_certainty(draft: Draft, choice: Choice) -> Gold | None:
    """The patient is not sure about a symptom; the summary has it as certain."""
    wording = choice.item(choice.topics("ii_certain")["answer"])
    absent = draft.absent[choice.number % len(draft.absent)]
    others = [name for name in draft.absent if name != absent]
    at = draft.positions("review")[0]
    draft.steps[at].doctor = f"Have you noticed any {others[0]} or any {others[1]}?"
    draft.steps[at].summary = {"symptoms": f"no {others[0]} or {others[1]}"}
    asked = Step(f"Any {absent}?", wording, tag="planted", status="unknown")
    again = Step(f"Can you remember anything more about it, has there been any {absent}?", wording, status="unknown")
    draft.steps[at + 1 : at + 1] = [asked, again]
    return _added(draft, choice, "ii_reversed", "major_fabrication")


_DAYS = ("Monday", "Friday", "morning", "night", "yesterday")

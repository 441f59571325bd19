"""Notes that are empty, blank, huge or oddly encoded."""

import logging
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from etl.notes.note import Note, NoteExtraction
from etl.notes.pipeline import NotePipeline
from foundation.errors import UserError

PIPELINE = NotePipeline()
ILL = "HPI: He has had chest pain for 3 days and denies fever. Takes aspirin 81 mg daily.\nPMH: gout, asthma\n"


def extract(text: str) -> NoteExtraction:
    return PIPELINE.extract(Note(note_id="n", case_id="t:1", text=text))


@pytest.mark.parametrize(
    "text", ["", "   \n\t\r\n ", "___ ___\n___", "[**Name**] [**2101-1-1**]", "\ufeff", "\x00\x00"]
)
def test_nothing_comes_of_nothing(text: str) -> None:
    found = extract(text)
    assert (found.mentions, found.medications, found.diagnoses, found.chief_complaint) == ((), (), (), "")


def test_blanks_are_never_entities() -> None:
    found = extract("HPI: [**Last Name (fever) 12**] has ___ pain and **NAME[Cough].\nSocial: lives with [**Name**].\n")
    for mention in found.mentions:
        assert not set("_[*") & set(mention.text)
    assert "fever" not in {mention.text for mention in found.mentions}


def test_carriage_returns_count_as_characters() -> None:
    text = ILL.replace("\n", "\r\n")
    quotes = {place.quote for item in extract(text).mentions for place in item.evidence}  # type: ignore[union-attr]
    assert {"chest pain", "gout", "asthma"} <= quotes
    for item in extract(text).mentions:
        place = item.evidence[0]
        assert text[place.start : place.end] == place.quote  # type: ignore[union-attr]


def test_odd_characters_keep_offsets() -> None:
    text = "İİ ﬁ — ‘HPI’\u2028\n" + ILL.replace("fever", "féver") + "💊 penicillin"
    for item in extract(text).mentions:
        place = item.evidence[0]
        assert text[place.start : place.end] == place.quote  # type: ignore[union-attr]


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from("HPI:PMH \n\r.,;-1234567890/%[*]_abcdefg né"), max_size=300))
def test_any_text_is_read(text: str) -> None:
    for item in extract(text).mentions:
        place = item.evidence[0]
        assert text[place.start : place.end] == place.quote  # type: ignore[union-attr]


def _seconds(text: str) -> float:
    """The quicker of two, by the processor's clock: what else the machine does is not this code's cost."""
    times = []
    for _ in range(2):
        began = time.process_time()
        extract(text)
        times.append(time.process_time() - began)
    return min(times)


@pytest.mark.parametrize("unit", [ILL, "a" * 50, "no ", "word, ", "1. ", "HEADING: ,", "A 40-year-old had pain, and "])
def test_time_grows_with_length_and_not_with_its_square(unit: str) -> None:
    small = _seconds(unit * (15_000 // len(unit)))
    large = _seconds(unit * (120_000 // len(unit)))
    assert large < 8 * 3 * max(small, 0.02)


@pytest.mark.slow
def test_a_two_megabyte_note_is_read() -> None:
    text = ILL * (2_000_000 // len(ILL))
    assert len(extract(text).mentions) > 80_000


def test_same_note_same_answer_and_no_text_in_logs(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        first = extract(ILL)
    assert first == NotePipeline().extract(Note(note_id="n", case_id="t:1", text=ILL))
    assert "chest pain" not in caplog.text


def test_wrong_names_are_refused() -> None:
    with pytest.raises(UserError, match="symptoms"):
        NotePipeline({"symptoms": "rules"})
    with pytest.raises(UserError, match="magic"):
        NotePipeline("magic")

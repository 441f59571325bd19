"""Where a statement of the social history belongs."""

import pytest

from etl.caserecord import MentionKind
from kg.domains import domain_of
from kg.facts import Domain
from tests.kg.samples import mention


@pytest.mark.parametrize(
    ("text", "concept", "expected"),
    [
        ("lives with her husband", "living_situation", Domain.SOCIAL_HISTORY),
        ("retired postal worker", None, Domain.SOCIAL_HISTORY),
        ("worked in a brewery that makes beer", "occupation", Domain.SOCIAL_HISTORY),
        ("Social EtOH", "alcohol", Domain.LIFESTYLE),
        ("40 pack-years, quit 2001", None, Domain.LIFESTYLE),
        ("Drinks 2 glasses of wine nightly", None, Domain.LIFESTYLE),
        ("IVDU", "substance_use_disorder", Domain.LIFESTYLE),
        ("sexually active with one partner", None, Domain.LIFESTYLE),
    ],
)
def test_lifestyle_is_parted_from_the_social_history(text: str, concept: str | None, expected: Domain) -> None:
    assert domain_of(mention("m1", MentionKind.SOCIAL_HISTORY, text, concept=concept)) is expected


def test_every_kind_of_mention_has_a_domain() -> None:
    assert {kind for kind in MentionKind if domain_of(mention("m1", kind, "x"))} == set(MentionKind)

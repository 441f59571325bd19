"""What pydantic refused is said in a person's words."""

import pytest
from pydantic import ValidationError, field_validator

from foundation.invalid import explained
from foundation.records import Frozen


class Wheel(Frozen):
    spokes: int

    @field_validator("spokes")
    @classmethod
    def _enough(cls, spokes: int) -> int:
        if spokes < 3:
            raise ValueError("too few to hold")
        return spokes


class Cart(Frozen):
    wheels: tuple[Wheel, ...] | None = None
    spare: dict[str, Wheel] | None = None
    colour: str = ""


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"color": "red"}, "unknown field `color`; did you mean `colour`?"),
        ({"zzz": 1}, "unknown field `zzz`"),
        ({"wheels": [{"spokes": 8, "spoke": 8}]}, "unknown field `spoke` of wheels.0; did you mean `spokes`?"),
        ({"spare": {"one": {"spokes": 8, "spoks": 8}}}, "unknown field `spoks` of spare.one; did you mean `spokes`?"),
        ({"wheels": [{"spokes": 2}]}, "field wheels.0.spokes: too few to hold"),
        ({"colour": 5}, "field colour: Input should be a valid string"),
        ("no mapping", "Input should be a valid dictionary or instance of Cart"),
    ],
)
def test_the_first_mistake_in_words(content: object, sentence: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Cart.model_validate(content)
    assert explained(refused.value, Cart) == sentence

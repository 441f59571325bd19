"""The rubric: dimensions, weights, failure patterns, penalties and caps, from `rubric.yaml` alone."""

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from evaluator.findings import Dimension
from foundation.errors import UserError
from foundation.invalid import explained
from foundation.records import Frozen

GOOD_STEP = "good_step"
Sight = Literal["dialogue", "summaries", "plan", "facts", "references"]


class Pattern(Frozen):
    """A failure pattern: points per occurrence, the most it takes, and whether the trace can prove it."""

    per: float = Field(ge=0)
    cap: float = Field(ge=0)
    provable: bool
    meaning: str


class RubricDimension(Frozen):
    """A dimension: its name, weight in the average, what a judge of it may see, and its failure patterns."""

    name: str
    weight: float = Field(gt=0)
    sees: tuple[Sight, ...]
    patterns: dict[str, Pattern] = Field(min_length=1)


class Rubric(Frozen):
    """A whole rubric. Weights are normalised by their sum, so that a team may change one alone."""

    version: str
    maximum: float = Field(gt=0)
    dimensions: dict[Dimension, RubricDimension]
    fingerprint: str = ""

    @model_validator(mode="after")
    def _all_dimensions(self) -> "Rubric":
        missing = [d.value for d in Dimension if d not in self.dimensions]
        if missing:
            raise ValueError(f"dimensions missing: {', '.join(missing)}")
        return self

    @property
    def identity(self) -> str:
        """Version and content hash, as a run remembers it: "1.0+3f2a91c0"."""
        return f"{self.version}+{self.fingerprint}"

    def pattern(self, dimension: Dimension, name: str) -> Pattern | None:
        """The failure pattern of that name, or None (a good step, or an unknown name)."""
        return self.dimensions[dimension].patterns.get(name)


def parse(text: str, origin: str) -> Rubric:
    """A rubric from YAML; raises UserError naming the field that is wrong."""
    try:
        content = yaml.safe_load(text)
        rubric = Rubric.model_validate(content)
    except yaml.YAMLError as error:
        raise UserError(f"{origin}: not YAML ({error.__class__.__name__})", "repair the file's indentation") from error
    except ValidationError as error:
        raise UserError(f"{origin}: {explained(error, Rubric)}", "compare with the rubric.yaml that ships") from error
    canonical = rubric.model_dump_json(exclude={"fingerprint"})
    return rubric.model_copy(update={"fingerprint": hashlib.sha256(canonical.encode()).hexdigest()[:8]})


@cache
def load(path: Path | None = None) -> Rubric:
    """The rubric that ships, or the one at `path`."""
    if path is None:
        return parse(files("evaluator").joinpath("rubric.yaml").read_text("utf-8"), "rubric.yaml")
    if not path.is_file():
        raise UserError(f"{path}: no such rubric", "give the path of a rubric.yaml, or leave --rubric out")
    return parse(path.read_text("utf-8"), str(path))

"""Measuring judges over a finished run: test-retest, agreement, and stored scorecards for drift."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from anamnesis.console import progress
from anamnesis.workspace import Workspace
from batch.clinic import evidence_of
from batch.store import open_store
from batch.summary import results
from chatmodels.cache import CachedModel
from chatmodels.endpoint import endpoint_from
from chatmodels.openai_compatible import OpenAICompatible
from evaluator.findings import Scorecard
from evaluator.judges.reliability import Agreement, agreement, by_judge, by_repeat
from evaluator.panel import Panel
from foundation.errors import UserError
from foundation.files import write_atomically
from kg.store import connect


def measure_judges(
    place: Workspace,
    run: str,
    written: Sequence[str],
    repeats: int,
    cases: int | None,
    compact: bool,
    fit_for_records: bool,
) -> dict[str, tuple[Agreement, ...]]:
    """Agreement of every judge with itself over `repeats`, and of all judges in their first repeat."""
    endpoints = [endpoint_from(text).model_copy(update={"fit_for_records": fit_for_records}) for text in written]
    models = [OpenAICompatible(endpoint) for endpoint in endpoints]
    transcripts = [result.transcript for result in results(open_store(place.runs), run)][:cases]
    found: dict[str, tuple[Agreement, ...]] = {}
    with connect(place.graph) as graph, progress("judgements", len(models) * repeats * len(transcripts)) as step:
        evidence = [evidence_of(graph, transcript) for transcript in transcripts]
        done = 0

        def cards(repeat: int, *judges: OpenAICompatible) -> list[Scorecard]:
            nonlocal done
            kept = [CachedModel(model, place.home / "judgements", repeat) for model in judges]
            panel = Panel(kept, mode="compact" if compact else "dimension", seed=repeat)
            scored = []
            for item in evidence:
                scored.append(panel.evaluate(item))
                done += len(judges)
                step(done)
            return scored

        for model in models:
            found[f"{model.name} against itself"] = agreement(by_repeat([cards(k, model) for k in range(repeats)]))
        if len(models) > 1:
            found["judges against each other"] = agreement(by_judge(cards(0, *models)))
    return found


def write_scorecards(path: Path, cards: Sequence[Scorecard]) -> None:
    """One scorecard a line; findings quote the transcript, so keep the file as you keep the records."""
    write_atomically(path, "".join(card.model_dump_json() + "\n" for card in cards))


def read_scorecards(path: Path) -> list[Scorecard]:
    """Scorecards as `write_scorecards` wrote them; UserError naming the line that is none."""
    if not path.is_file():
        raise UserError(f"{path}: no such file", "write it with `anamnesis score RUN --out FILE`")
    cards: list[Scorecard] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            cards.append(Scorecard.model_validate_json(line))
        except ValidationError as error:
            field = ".".join(str(part) for part in error.errors()[0]["loc"]) or "the line"
            raise UserError(
                f"{path}, line {number}: {field} is not as a scorecard has it",
                "write it with `anamnesis score RUN --out FILE`",
            ) from None
    return cards

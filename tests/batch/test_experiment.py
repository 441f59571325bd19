"""Experiment files as people write them wrongly: one message that names the field."""

from pathlib import Path

import pytest

from batch.experiment import read_experiment
from foundation.errors import UserError

GOOD = "name: e\ncohort: c.jsonl\ndoctors: [checklist]\n"
MODEL = "doctors: [{kind: chat_model, endpoint: {model: m}}]"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD.replace("[checklist]", "[5]"), "doctors"),
        (GOOD.replace("[checklist]", "[null]"), "doctors"),
        (GOOD.replace("[checklist]", "[checklist, checklist]"), "label"),
        (GOOD + "personas: []\n", "personas"),
        (GOOD + "personas: [nobody]\n", "nobody"),
        (GOOD + "protocol: nowhere\n", "nowhere"),
        (GOOD + "seeds: [0, 0]\n", "seeds"),
        (GOOD + "seeds: []\n", "seeds"),
        (GOOD + "cases: 0\n", "cases"),
        (GOOD + "colour: blue\n", "unknown field `colour`"),
        (GOOD + "case: 3\n", "unknown field `case`; did you mean `cases`?"),
        (
            GOOD.replace("[checklist]", "[{kind: checklist, lable: a}]"),
            "field `lable` of doctors; did you mean `label`",
        ),
        (GOOD + "judge: [{model: m, base_ulr: x}]\n", "field `base_ulr` of judges.0; did you mean `base_url`?"),
        (GOOD + "judge: none\njudges: [m@http://127.0.0.1:1/v1]\n", "judge"),
        ("[" * 3000, "not YAML"),
        ("- a list", "expected fields"),
        (GOOD + "seeds: [2020-99-99]\n", "not YAML"),
        (GOOD.replace("checklist", "'m@http://[::1'"), "doctors"),
        (GOOD.replace("[checklist]", "['m@http://127.0.0.1:abc/v1']"), "doctors"),
        (GOOD + "judge: m@http://127.0.0.1:abc/v1\n", "judges"),
        (GOOD + "patient_model: 'm@http://[::1'\n", "patient_model"),
        (GOOD + "patient_model: {model: ''}\n", "patient_model.model"),
        (GOOD + "understanding_model: {model: m, base_url: 'http://a:b/v1'}\n", "understanding_model.base_url"),
        (GOOD + 'patient_model: "m\\ud800"\n', "not YAML"),
        (GOOD + "name: \x00\n", "not YAML"),
    ],
)
def test_mistakes_are_named(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(UserError) as error:
        read_experiment(file)
    assert says in error.value.problem and len(str(error.value)) < 1_000
    assert "Value error" not in error.value.problem and "Extra inputs" not in error.value.problem


def test_the_address_is_part_of_what_was_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(GOOD.replace("doctors: [checklist]", MODEL), "utf-8")
    prints = set()
    for port in (1, 2):
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")
        prints.add(read_experiment(file).fingerprint("c", "r", "v"))
    assert len(prints) == 2


def test_workers_and_budget_are_no_part_of_it(tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    prints = set()
    for more in ("", "workers: 7\nbudget_usd: 3\n"):
        file.write_text(GOOD + more, "utf-8")
        prints.add(read_experiment(file).fingerprint("c", "r", "v"))
    assert len(prints) == 1


def test_a_judge_among_the_doctors_is_refused_unless_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    both = GOOD.replace("[checklist]", "[m@http://127.0.0.1:1/v1]") + "judge: [m@http://127.0.0.1:1/v1]\n"
    file.write_text(both, "utf-8")
    with pytest.raises(UserError, match="allow_self_judging"):
        read_experiment(file)
    file.write_text(both + "allow_self_judging: true\n", "utf-8")
    assert read_experiment(file).judges


@pytest.mark.parametrize("written", ["none", "'off'", "off", "'null'", "null", "None", ""])
def test_no_model_may_be_said_in_words(tmp_path: Path, written: str) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(
        GOOD + "".join(f"{name}: {written}\n" for name in ("patient_model", "understanding_model", "judge"))
    )
    experiment = read_experiment(file)
    assert (experiment.patient_model, experiment.understanding_model, experiment.judges) == (None, None, ())


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_bytes(GOOD.encode("utf-16"))
    with pytest.raises(UserError, match=r"e\.yaml.*UTF-8"):
        read_experiment(file)

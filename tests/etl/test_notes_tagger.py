"""The tagger's arithmetic: the same probabilities as crfsuite's, whatever else is computed beside them."""

from pathlib import Path

import numpy as np
import pycrfsuite
import pytest

from etl.notes.tagger.features import feature_rows
from etl.notes.tagger.model import ChainModel, save_model
from etl.notes.tagger.tagger import Tagged, decoded

_SENTENCES = (
    (("She", "had", "severe", "headache", "and", "fever", "."), ("", "", "", "Bsymptom", "", "Bsymptom", "")),
    (("Ibuprofen", "was", "given", "."), ("Bdrug", "", "", "")),
    (("Fever",), ("Bsymptom",)),
)
_LABELS = (("O", "O", "O", "B-SYM", "O", "B-SYM", "O"), ("B-MED", "O", "O", "O"), ("B-SYM",))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[ChainModel, pycrfsuite.Tagger]:
    folder: Path = tmp_path_factory.mktemp("tagger")
    trainer = pycrfsuite.Trainer(verbose=False)
    for (words, terms), labels in zip(_SENTENCES, _LABELS, strict=True):
        trainer.append(feature_rows(words, terms), labels)
    trainer.set_params({"c1": 0.0, "c2": 0.1, "max_iterations": 40, "feature.possible_transitions": True})
    trainer.train(str(folder / "crf"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(folder / "crf"))
    weights = tagger.info()
    save_model(folder / "crf.npz", sorted(tagger.labels()), weights.state_features, weights.transitions)
    return ChainModel(folder / "crf.npz"), tagger


def test_marginals_are_those_of_crfsuite(trained: tuple[ChainModel, pycrfsuite.Tagger]) -> None:
    model, tagger = trained
    unseen = (("Severe", "cough", "was", "given", "ibuprofen"), ("", "Bsymptom", "", "", "Bdrug"))
    sentences = [*_SENTENCES, unseen]
    for (words, terms), table in zip(sentences, model.marginals(sentences), strict=True):
        tagger.set(feature_rows(words, terms))
        expected = [[tagger.marginal(label, at) for label in model.labels] for at in range(len(words))]
        assert np.abs(table - np.array(expected)).max() < 0.005
        assert np.allclose(table.sum(axis=1), 1, atol=1e-5)


def test_a_sentence_is_judged_alike_alone_and_among_others(trained: tuple[ChainModel, pycrfsuite.Tagger]) -> None:
    model, _ = trained
    together = model.marginals(_SENTENCES)
    for sentence, table in zip(_SENTENCES, together, strict=True):
        assert np.allclose(model.marginals([sentence])[0], table, atol=1e-5)
    assert model.marginals([]) == []


def test_further_features_change_only_their_own_sentence(trained: tuple[ChainModel, pycrfsuite.Tagger]) -> None:
    model, _ = trained
    plain = model.marginals(_SENTENCES)
    told = model.marginals(_SENTENCES, [([], {}), (["l=Bsymptom"], {0: ["w=fever"]}), ([], {})])
    assert np.allclose(plain[0], told[0], atol=1e-5) and np.allclose(plain[2], told[2], atol=1e-5)
    begins = model.labels.index("B-SYM")
    assert (told[1][:, begins] > plain[1][:, begins]).all()


def test_spans_need_a_word_that_can_begin_one() -> None:
    labels = ("O", "B-SYM", "I-SYM")
    table = np.array([[0.6, 0.4, 0.0], [0.55, 0.05, 0.4], [0.9, 0.1, 0.0], [0.6, 0.4, 0.0]], dtype=np.float32)
    assert decoded(table, labels, ["loss", "of", "balance", "the"]) == [Tagged("SYM", 0, 2)]
    assert decoded(table[3:], labels, ["ataxia"]) == [Tagged("SYM", 0, 1)]

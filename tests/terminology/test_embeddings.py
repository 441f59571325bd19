"""Sentence vectors: unit length, repeatable, and closer for what means the same."""

import numpy as np

from terminology.embeddings import DIMENSIONS, embed, similarity


def test_vectors_are_unit_length() -> None:
    vectors = embed(["chest pain", "", "a much longer sentence about pain in the chest and arm " * 60])
    assert vectors.shape == (3, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_no_texts_no_vectors() -> None:
    assert embed([]).shape == (0, DIMENSIONS)


def test_company_does_not_change_a_vector() -> None:
    alone = embed(["do you smoke at all?"])[0]
    texts = [f"sentence {number} about smoking" for number in range(40)] + ["do you smoke at all?"]
    assert np.allclose(embed(texts)[-1], alone, atol=1e-6)


def test_meaning_counts() -> None:
    same = similarity("I have trouble breathing", "shortness of breath")
    other = similarity("I have trouble breathing", "the car is red")
    assert same > other + 0.2

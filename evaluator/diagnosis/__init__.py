"""Is the stated diagnosis the recorded one: names, synonyms, hierarchy, embeddings."""

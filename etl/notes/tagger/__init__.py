"""A small tagger for what no word list holds, trained on published case reports; see CARD.md."""

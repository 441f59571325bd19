"""The learned part of question understanding: it edits what the rules read (CARD.md)."""

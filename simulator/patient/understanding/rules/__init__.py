"""The rules of question understanding, as data: see each file's first lines."""

"""Operators that plant exactly one known failure; one file a group of dimensions, registered in `registry`."""

"""Every Cypher text of the project: one file for each who may ask, parameterised, never made by a language model."""

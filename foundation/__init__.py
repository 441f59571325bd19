"""What every stage stands on: frozen records, the one user-fixable error, seeds and safe files.

Imports no other package of the project, so that every stage, `chatmodels` and `terminology` may use it.
"""

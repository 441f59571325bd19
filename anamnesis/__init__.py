"""The application: command line, settings, version."""

from importlib.metadata import version

__version__ = version("anamnesis")

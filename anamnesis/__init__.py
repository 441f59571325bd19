"""The application: command line, settings, version."""

"""The commands, a file for each part of the work; thin: each calls the stage that does it."""

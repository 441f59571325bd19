"""Plain dialogue of other sources, read into transcripts whose trace is derived from the words."""

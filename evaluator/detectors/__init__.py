"""What the trace proves, one file a dimension."""

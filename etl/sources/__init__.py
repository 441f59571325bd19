"""Sources of cases, one file each."""

"""Every formula: pure functions of counts and plain numbers, no files and no clock."""

"""What a viewer can ask of the runs that were opened; `steelyard.web` shows it."""

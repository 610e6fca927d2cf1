"""Call judges and store their replies."""

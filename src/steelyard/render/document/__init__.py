"""What a report or a comparison says to people, before it is known how it will look."""

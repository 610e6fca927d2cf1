"""Find out the facts about answers, one kind of check a module."""

"""Use cases of the rating lists. Games are handed in (`PlayedGame`); nothing here asks the tournaments for them."""

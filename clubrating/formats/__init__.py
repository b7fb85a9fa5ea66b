"""How the site writes figures and dates, by language."""

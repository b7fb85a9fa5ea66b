"""Reading about events. Every page's query is here, with what it needs joined in."""

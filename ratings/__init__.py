"""HOW STRONG: rating systems (pure), rating lists, and the ledger that equals a replay of the games."""

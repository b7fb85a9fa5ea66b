"""WHO MET WHOM: events, rounds, pairings, games; pairing and standings rules (pure)."""

"""How fast pairings, standings and pages are, as ratios to what is named beside each (`benchmark tournaments`)."""

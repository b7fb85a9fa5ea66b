"""Standings (pure): points, crosstable, tie-breaks and places, computed from results whenever they are shown."""

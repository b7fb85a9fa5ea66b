"""The FIDE (Dutch) System."""

from tournaments.pairing.dutch.system import Dutch

__all__ = ["Dutch"]

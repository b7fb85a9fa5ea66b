"""Tests of what measures us."""

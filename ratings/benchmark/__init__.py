"""Measuring: every figure is a ratio to a named baseline of the same run (`manage.py benchmark ratings`)."""

"""The FIDE (Dutch) rules a second time: slow, literal, by enumeration; for small fields and for tests only.

Sources: FIDE C.04.3 in force from 1 February 2026 and, for the edition before it, the one with the penultimate and the
collapsed last bracket. Written from the text and sharing nothing with the engine, so that the two can be compared.
"""

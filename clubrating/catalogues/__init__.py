"""The catalogues of the site's words: one text file a language, read off the code and written by translators.

`reading` finds every marked string of the project, `keeping` brings the files up to date with them and compiles what
the site reads, `checking` says what a translator still has to do. No program beside Python is needed. How to add a
string or a language: docs/languages.md.
"""

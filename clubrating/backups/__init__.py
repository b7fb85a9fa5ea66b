"""Backups: one file with everything the club keeps, how it is made, kept, scrubbed and brought back.

`archive`    the file: a zip of rows with a manifest, and a digest over every byte of it
`contents`   which tables go into it, and how a row is written and read on any engine
`snapshot`   makes one of the live database while others write
`restoring`  brings one back, through a `staging` database, in one transaction
`shelf`      the daily ones in CLUB_DATA/backups: made, verified, kept as `keeping` says
`scrub`      takes erased persons out of those; `erased` remembers whom
`put_aside`  deletes, after two weeks, databases that were put aside on the way back to an older program

Not done here: copies elsewhere (docs/backups.md says how to carry one off the machine).
"""

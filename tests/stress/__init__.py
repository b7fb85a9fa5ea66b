"""Load and faults, bounded and on this machine alone: `bin/stress`, its summary in docs/reliability.md.

`figures` are the sums, `journal` knows what was acknowledged and what of it is lost; `guest` asks over HTTP, `crowd`
are the arbiters, members and officers; `services` are the processes and who starts them again, `servers` the databases;
`faults` break things; `evening` holds all of it, `running` is a whole run, `report` what it found.
"""

import django

# `tests.live` signs people in, and accounts are there only once Django is awake.
django.setup()

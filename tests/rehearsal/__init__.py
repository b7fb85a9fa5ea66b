"""The site put up as docs/deploy.md says, in a temporary folder, without root and without Docker: `bin/rehearse`.

`plans` reads the guide, the units, the Dockerfile and compose.yaml; `stand_in` runs units as their manager would;
`places` are where all of it is put; `server` is a PostgreSQL in the place of the system's; `proxies` starts nginx or
Caddy before the site; `visiting` asks it as a browser would; `machine` and `containers` are the two ways as a whole.
"""

"""How the site is run: what it writes down about itself, how it is, when it is closed, how much one visitor may ask.

`records`      lines for the log, each with its request's name, none with a person's
`watching`     the middleware that names, times and counts every request
`counting`     counters of all web processes of one machine together
`engine`       the version of the database, as it tells it
`failures`     an exception told without its words; commands that broke
`metrics`      `/metrics` for Prometheus
`state`        how every part is: for `/readyz`, `/metrics` and the administrators' page
`roll_call`    whether a worker is there while nothing is to be done
`maintenance`  the site closed for a while, by a file
`limits`       how large a request may be, and how often expensive pages are made for one address
"""

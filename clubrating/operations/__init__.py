"""How the site is run: what it writes down about itself, how it is, when it is closed, how much one visitor may ask.

`records`      lines for the log, each with its request's name, none with a person's
`watching`     the middleware that names, times and counts every request
`counting`     counters of all web processes of one machine together
`metrics`      `/metrics` for Prometheus
`state`        how every part is: for `/readyz`, `/metrics` and the administrators' page
`maintenance`  the site closed for a while, by a file
`limits`       how large a request may be, and how often expensive pages are made for one address
"""

"""The project package: settings, addresses, and the parts no single app owns (charts, template tags)."""

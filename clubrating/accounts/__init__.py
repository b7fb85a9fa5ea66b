"""Who is let in: signing in with password and code, password links, and each officer's own account."""

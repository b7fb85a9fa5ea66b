"""WHO: the people, the club, the audit trail, background jobs. The bottom app: it imports no other."""

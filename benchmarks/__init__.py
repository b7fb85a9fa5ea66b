"""What measures us: every figure is a ratio to a named baseline of the same run. Nothing a club runs imports it."""

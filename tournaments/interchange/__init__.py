"""Files in and out (pure): text to typed rows with line numbers, and back. Nothing here touches the database."""

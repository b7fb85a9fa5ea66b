"""The laboratory (pure): the very functions the club is rated with, run on invented worlds and long streams."""

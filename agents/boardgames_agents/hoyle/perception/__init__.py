"""What Hoyle sees on a board: templates and patterns, zones and the attitudes that they show."""

"""What was measured of one's own functions, whole: numbers, answers, pages, kept results."""

"""The jobs of the study: one training each, tested exactly at several lengths."""

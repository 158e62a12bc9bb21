"""Forms made from the catalogue."""

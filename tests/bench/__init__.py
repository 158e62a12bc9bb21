"""Measurements, never assertions: medians of interleaved runs beside the floor measured in the same run."""

"""Profiles: our commands under the names, parameters and answers of another system."""

"""Checks that take too long for every run of the tests: each ends by itself and says whether its goal is met."""

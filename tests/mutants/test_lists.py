"""What `make mutants` reads is true of the code as it is: it runs now and then, the code changes each day."""

from __future__ import annotations

from tests.mutants.__main__ import MODULES, known
from tests.mutants.extension import ROOT, stale
from tests.mutants.mutations import mutants_of
from tests.mutants.running import source


def test_each_mutant_of_the_extension_can_be_made() -> None:
    assert list(stale(ROOT)) == []


def test_each_survivor_that_is_excused_is_a_mutant() -> None:
    every = {mutant.key for name in MODULES for mutant in mutants_of(source(name), name)}
    assert known().keys() - every == set()

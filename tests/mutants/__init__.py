"""Whether the tests notice when the code that trust rests on does something else: `python -m tests.mutants`.

Why a runner of our own: mutmut 3.8 changes neither tables and limits of a module nor what is decorated (properties and
the pause's context manager), and these decide here; it changes every text three times over, whom the tests owe nothing.
cosmic-ray 8.7 starts pytest again for each mutant, which takes hours. What is needed is Python's ast, fork and pytest.
"""

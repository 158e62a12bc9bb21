"""Who is there, and how they are reached: tabs, clients, paired browsers, browsers that ask to be, the executor."""

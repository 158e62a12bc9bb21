"""May this command go on? Pause, rates, policy and rules, leases, consent and approvals."""

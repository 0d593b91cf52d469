"""Rules for the artifacts of operation contracts, and the rule that asks the contract."""

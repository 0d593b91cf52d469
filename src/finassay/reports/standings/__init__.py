"""A leaderboard as one reads it.  In: boards, ranks, rules.  Out: rows to sort, show and save."""

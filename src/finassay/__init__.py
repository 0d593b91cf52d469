"""How much of a financial-LLM leaderboard is the model, and how much is the scoring rule?"""

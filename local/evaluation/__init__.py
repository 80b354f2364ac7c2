"""How well a running service retrieves: questions with known evidence, asked through the API, and what came back."""

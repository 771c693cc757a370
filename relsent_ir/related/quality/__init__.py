"""Quality of models: judged matches, and retrieval of unseen records."""

-- Whether assembly uses the agent's memories; its organization has the same switch among its settings.
ALTER TABLE agents ADD COLUMN enabled boolean NOT NULL DEFAULT true;

-- Where an agent's memories stand in prompts; NULL: where its organization says.
ALTER TABLE agents ADD COLUMN placement text CHECK (placement IN ('system', 'turn'));

-- How much personal data a memory's texts were stored without, by kind: {"email": 1}.
ALTER TABLE memories ADD COLUMN redactions jsonb NOT NULL DEFAULT '{}';

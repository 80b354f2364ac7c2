-- How often a credential may ask: its own limit, else its organization's, else the deployment's. 0 a second is no limit.
ALTER TABLE organizations
    ADD COLUMN rate_per_second real CHECK (rate_per_second >= 0),
    ADD COLUMN rate_burst integer CHECK (rate_burst > 0);
ALTER TABLE api_keys
    ADD COLUMN rate_per_second real CHECK (rate_per_second >= 0),
    ADD COLUMN rate_burst integer CHECK (rate_burst > 0);

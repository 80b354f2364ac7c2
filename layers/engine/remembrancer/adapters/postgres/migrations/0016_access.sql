-- When a key ends by itself; NULL: when it is revoked.
ALTER TABLE api_keys ADD COLUMN expires_at timestamptz;

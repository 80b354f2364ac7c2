-- Names those who were erased, in the records of it: whoever knows a name can find its record, and no record tells one.
ALTER TABLE organizations ADD COLUMN subject_key bytea NOT NULL
    DEFAULT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

CREATE FUNCTION subject_hash(key bytea, kind text, subject text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sha256(key || convert_to(kind || ':' || subject, 'UTF8'));

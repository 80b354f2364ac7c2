-- Text under a data key of its own for each organization that wants it; the keys are wrapped by KMS.

CREATE TABLE data_keys (
    org_id          uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
    version         integer NOT NULL CHECK (version > 0),
    kms_key_id      text NOT NULL,
    -- NULL once the key is destroyed: what it sealed can never be opened again.
    wrapped         bytea,
    created_at      timestamptz NOT NULL DEFAULT now(),
    retired_at      timestamptz,
    -- What rows refer to: a version cannot be retired while a row is sealed under it, nor used once it is.
    usable          integer CHECK (usable IS NOT DISTINCT FROM CASE WHEN retired_at IS NULL THEN version END),
    PRIMARY KEY (org_id, version),
    UNIQUE (org_id, usable),
    CHECK (wrapped IS NOT NULL OR retired_at IS NOT NULL)
);
ALTER TABLE data_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE data_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY one_organization ON data_keys USING (org_id = current_org());
GRANT SELECT, INSERT, UPDATE, DELETE ON data_keys TO remembrancer_app;

ALTER TABLE organizations ALTER COLUMN term_key DROP NOT NULL;
ALTER TABLE organizations ADD COLUMN sealed_term_key bytea,
    ADD CONSTRAINT organizations_one_term_key CHECK (num_nonnulls(term_key, sealed_term_key) = 1);

ALTER TABLE memories ALTER COLUMN content DROP NOT NULL;
ALTER TABLE memories
    ADD COLUMN sealed bytea,
    ADD COLUMN sealed_context bytea,
    ADD COLUMN key_version integer,
    ADD CONSTRAINT memories_one_form CHECK (
        CASE WHEN key_version IS NULL
             THEN content IS NOT NULL AND num_nonnulls(sealed, sealed_context) = 0
             ELSE sealed IS NOT NULL AND num_nonnulls(content, summary, context) = 0 END),
    ADD CONSTRAINT memories_data_key FOREIGN KEY (org_id, key_version) REFERENCES data_keys (org_id, usable);
-- What a rotation, or the first encryption, still has to do; and what the foreign key asks when a key is retired.
CREATE INDEX memories_key_version ON memories (org_id, key_version);

-- The fingerprint that finds duplicates is keyed as the index's terms are: a plain hash of a short text says what it is.
-- HMAC-SHA-256 over `content:` and the SHA-256 of the text, so that what is stored already can be converted.
CREATE FUNCTION pg_temp.keyed(key bytea, message bytea) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
    padded bytea := key || decode(repeat('00', 64 - length(key)), 'hex');
    inner_pad bytea := padded;
    outer_pad bytea := padded;
BEGIN
    FOR position IN 0..63 LOOP
        inner_pad := set_byte(inner_pad, position, get_byte(padded, position) # 54);
        outer_pad := set_byte(outer_pad, position, get_byte(padded, position) # 92);
    END LOOP;
    RETURN sha256(outer_pad || sha256(inner_pad || message));
END $$;

DO $$
DECLARE
    organization uuid;
    former_org text := coalesce(current_setting('remembrancer.org_id', true), '');
BEGIN
    PERFORM set_config('remembrancer.maintenance', 'on', true);
    FOR organization IN SELECT org_id FROM organizations LOOP
        PERFORM set_config('remembrancer.org_id', organization::text, true);
        UPDATE memories m SET content_sha256 = pg_temp.keyed(o.term_key, convert_to('content:', 'UTF8') || m.content_sha256)
        FROM organizations o WHERE o.org_id = m.org_id;
    END LOOP;
    PERFORM set_config('remembrancer.maintenance', '', true);
    PERFORM set_config('remembrancer.org_id', former_org, true);
END $$;
DROP FUNCTION pg_temp.keyed(bytea, bytea);

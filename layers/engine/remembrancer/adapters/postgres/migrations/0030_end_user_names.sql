-- Names of end users in one form, as requests have them: canonically equivalent names are one person, and no name is
-- blank. What two forms of a name have comes together; only of a session, a profile and a time zone one is kept.

-- NFC without white space at its ends (domain/identity/scope.py). A blank name, which no request may have, gets one by
-- which it can be listed, exported and erased.
CREATE FUNCTION end_user_name(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN written ~ '^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$' THEN written
        -- White space and what shows nothing (domain/personal_data/invisible_characters.py).
        WHEN written ~ ('^[\x01-\x20\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f'
            '\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff'
            '\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff'
            '\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff\U0004fffe\U0004ffff\U0005fffe\U0005ffff'
            '\U0006fffe\U0006ffff\U0007fffe\U0007ffff\U0008fffe\U0008ffff\U0009fffe\U0009ffff\U000afffe\U000affff'
            '\U000bfffe\U000bffff\U000cfffe\U000cffff\U000dfffe\U000dffff\U000efffe\U000effff\U000ffffe\U000fffff'
            '\U0010fffe\U0010ffff]*$')
        THEN 'blank-name-' || encode(convert_to(written, 'UTF8'), 'hex')
        ELSE btrim(normalize(written, NFC), E'\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003'
            '\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000')
    END
$$;

DO $$
DECLARE
    organization uuid;
    renamed uuid[];
    person record;
BEGIN
    -- The owner is bound by the policies too, so one organization after the other.
    PERFORM set_config('remembrancer.maintenance', 'on', true);
    FOR organization IN SELECT org_id FROM organizations ORDER BY org_id
    LOOP
        PERFORM set_config('remembrancer.org_id', organization::text, true);

        -- Locks the agents against other writers. Caches compare these counters, and read everything anew.
        renamed := ARRAY(SELECT DISTINCT agent_id FROM memories
                         WHERE org_id = organization AND user_id <> end_user_name(user_id) ORDER BY agent_id);
        UPDATE agents SET version = version + 1, removals = removals + 1
        WHERE org_id = organization AND agent_id = ANY(renamed);

        -- What both forms of a name have stays twice: the second text is no longer found as a duplicate of the first, and
        -- the second reference names nothing.
        UPDATE memories m SET content_sha256 = sha256(m.content_sha256 || uuid_send(m.memory_id))
        FROM (SELECT memory_id, row_number() OVER (
                  PARTITION BY agent_id, end_user_name(user_id), content_sha256
                  ORDER BY user_id = end_user_name(user_id) DESC, created_at, memory_id) AS place
              FROM memories
              WHERE org_id = organization AND agent_id = ANY(renamed) AND user_id IS NOT NULL AND status = 'active') s
        WHERE m.org_id = organization AND m.memory_id = s.memory_id AND s.place > 1;
        UPDATE memories m SET client_ref = NULL
        FROM (SELECT memory_id, row_number() OVER (
                  PARTITION BY agent_id, end_user_name(user_id), client_ref
                  ORDER BY user_id = end_user_name(user_id) DESC, created_at, memory_id) AS place
              FROM memories
              WHERE org_id = organization AND agent_id = ANY(renamed) AND user_id IS NOT NULL
                AND client_ref IS NOT NULL) s
        WHERE m.org_id = organization AND m.memory_id = s.memory_id AND s.place > 1;
        -- Before the memories: these join clusters of their own end user only.
        UPDATE memory_clusters SET owner = end_user_name(owner)
        WHERE org_id = organization AND owner <> '' AND owner <> end_user_name(owner);
        UPDATE memories m SET user_id = end_user_name(m.user_id), change = a.version
        FROM agents a
        WHERE m.org_id = organization AND a.org_id = organization AND a.agent_id = m.agent_id
          AND m.user_id <> end_user_name(m.user_id);
        UPDATE memory_vectors SET user_id = end_user_name(user_id)
        WHERE org_id = organization AND user_id <> end_user_name(user_id);

        -- The words of a renamed owner wait to be merged again; what left has nothing to be taken out of.
        FOR person IN
            SELECT DISTINCT agent_id, end_user_name(user_id) AS name
            FROM (SELECT agent_id, user_id FROM index_owners WHERE org_id = organization
                  UNION SELECT agent_id, user_id FROM term_documents WHERE org_id = organization) owners
            WHERE user_id <> '' AND user_id <> end_user_name(user_id)
        LOOP
            DELETE FROM index_blocks
            WHERE org_id = organization AND agent_id = person.agent_id AND user_id <> ''
              AND end_user_name(user_id) = person.name;
            DELETE FROM term_documents
            WHERE org_id = organization AND agent_id = person.agent_id AND user_id <> ''
              AND end_user_name(user_id) = person.name AND left_at IS NOT NULL;
            UPDATE term_documents SET user_id = person.name
            WHERE org_id = organization AND agent_id = person.agent_id AND user_id NOT IN ('', person.name)
              AND end_user_name(user_id) = person.name;
            DELETE FROM index_owners
            WHERE org_id = organization AND agent_id = person.agent_id AND user_id <> ''
              AND end_user_name(user_id) = person.name;
            INSERT INTO index_owners (org_id, agent_id, user_id, documents, content_words, context_words, waiting)
            SELECT org_id, agent_id, user_id, count(*), sum(content_words), sum(context_words), count(*)
            FROM term_documents
            WHERE org_id = organization AND agent_id = person.agent_id AND user_id = person.name
            GROUP BY org_id, agent_id, user_id;
        END LOOP;

        -- Two conversations of one session stay two: the second becomes its own session.
        UPDATE conversations c SET session_id = c.conversation_id::text
        FROM (SELECT conversation_id, row_number() OVER (
                  PARTITION BY agent_id, end_user_name(user_id), session_id
                  ORDER BY user_id = end_user_name(user_id) DESC, updated_at DESC, conversation_id) AS place
              FROM conversations
              WHERE org_id = organization AND user_id IS NOT NULL AND agent_id IN (
                  SELECT agent_id FROM conversations
                  WHERE org_id = organization AND user_id <> end_user_name(user_id))) s
        WHERE c.org_id = organization AND c.conversation_id = s.conversation_id AND s.place > 1;
        UPDATE conversations SET user_id = end_user_name(user_id)
        WHERE org_id = organization AND user_id <> end_user_name(user_id);

        DELETE FROM sessions s USING (
            SELECT ctid AS row, row_number() OVER (
                PARTITION BY session_id, agent_id, end_user_name(user_id)
                ORDER BY user_id = end_user_name(user_id) DESC, updated_at DESC) AS place
            FROM sessions WHERE org_id = organization AND user_id IS NOT NULL) known
        WHERE s.ctid = known.row AND known.place > 1;
        UPDATE sessions SET user_id = end_user_name(user_id)
        WHERE org_id = organization AND user_id <> end_user_name(user_id);
        DELETE FROM profiles p USING (
            SELECT ctid AS row, row_number() OVER (
                PARTITION BY agent_id, end_user_name(user_id)
                ORDER BY user_id = end_user_name(user_id) DESC, updated_at DESC) AS place
            FROM profiles WHERE org_id = organization) known
        WHERE p.ctid = known.row AND known.place > 1;
        UPDATE profiles SET user_id = end_user_name(user_id)
        WHERE org_id = organization AND user_id <> end_user_name(user_id);
        DELETE FROM end_users e USING (
            SELECT ctid AS row, row_number() OVER (
                PARTITION BY project_id, environment, end_user_name(user_id)
                ORDER BY user_id = end_user_name(user_id) DESC, user_id) AS place
            FROM end_users WHERE org_id = organization) known
        WHERE e.ctid = known.row AND known.place > 1;
        UPDATE end_users SET user_id = end_user_name(user_id)
        WHERE org_id = organization AND user_id <> end_user_name(user_id);
        UPDATE profiles SET users = (
            SELECT jsonb_object_agg(name, used)
            FROM (SELECT end_user_name(key) AS name, sum(value::float8) AS used
                  FROM jsonb_each_text(users) GROUP BY end_user_name(key)) counted)
        WHERE org_id = organization
          AND EXISTS (SELECT FROM jsonb_object_keys(users) AS known (name) WHERE name <> end_user_name(name));

        -- A second opinion on a memory is kept as one without an end user.
        UPDATE feedback f SET user_id = NULL
        FROM (SELECT feedback_id, row_number() OVER (
                  PARTITION BY memory_id, end_user_name(user_id)
                  ORDER BY user_id = end_user_name(user_id) DESC, created_at, feedback_id) AS place
              FROM feedback WHERE org_id = organization AND user_id IS NOT NULL) given
        WHERE f.org_id = organization AND f.feedback_id = given.feedback_id AND given.place > 1;
        UPDATE feedback SET user_id = end_user_name(user_id)
        WHERE org_id = organization AND user_id <> end_user_name(user_id);

        -- The end of a prefix stays: without its blanks it would allow more names.
        UPDATE api_keys SET end_users = ARRAY(
            SELECT name
            FROM (SELECT CASE WHEN right(entry, 1) = '*' THEN normalize(entry, NFC) ELSE end_user_name(entry) END, place
                  FROM unnest(end_users) WITH ORDINALITY AS given (entry, place)) AS named (name, place)
            GROUP BY name ORDER BY min(place))
        WHERE org_id = organization AND EXISTS (
            SELECT FROM unnest(end_users) AS given (entry)
            WHERE entry <> CASE WHEN right(entry, 1) = '*' THEN normalize(entry, NFC) ELSE end_user_name(entry) END);
        UPDATE erasures e SET subject = end_user_name(subject),
                              subject_hash = subject_hash(o.subject_key, 'user', end_user_name(subject))
        FROM organizations o
        WHERE e.org_id = organization AND o.org_id = organization AND e.kind = 'user' AND e.state = 'running'
          AND right(subject, 1) <> '*' AND subject <> end_user_name(subject);

        -- Agents whose names are equivalent keep both of them: their ids still tell them apart.
        UPDATE agents a SET name = normalize(name, NFC)
        WHERE org_id = organization AND name IS NOT NFC NORMALIZED AND NOT EXISTS (
            SELECT FROM agents other
            WHERE other.org_id = organization AND other.project_id = a.project_id
              AND other.environment = a.environment AND other.agent_id <> a.agent_id
              AND normalize(other.name, NFC) = normalize(a.name, NFC));
    END LOOP;
    PERFORM set_config('remembrancer.org_id', '', true);
    PERFORM set_config('remembrancer.maintenance', '', true);
END $$;

-- Holds for older code too, which stores names as they were written. Other tables copy the name from these.
CREATE FUNCTION normalise_end_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.user_id := end_user_name(NEW.user_id);
    RETURN NEW;
END $$;

DO $$
DECLARE
    named text;
BEGIN
    FOREACH named IN ARRAY ARRAY['memories', 'conversations', 'sessions', 'profiles', 'feedback', 'end_users'] LOOP
        EXECUTE format('CREATE TRIGGER normalise_end_user BEFORE INSERT OR UPDATE OF user_id ON %I FOR EACH ROW
                        WHEN (NEW.user_id <> end_user_name(NEW.user_id)) EXECUTE FUNCTION normalise_end_user()', named);
    END LOOP;
END $$;

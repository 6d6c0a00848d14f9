-- Adds a task and returns its id. With a key: returns the open task of this name and key, if there is one.
CREATE OR REPLACE FUNCTION messaging.enqueue_task(
  p_name text, p_payload jsonb, p_headers jsonb DEFAULT '{}', p_delay_ms bigint DEFAULT 0, p_key text DEFAULT NULL,
  p_partition text DEFAULT NULL
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  WHILE v_id IS NULL LOOP
    INSERT INTO messaging.tasks (name, dedupe_key, payload, headers, due_at, partition_key)
    VALUES (p_name, p_key, p_payload, p_headers, clock_timestamp() + p_delay_ms * interval '1 millisecond', p_partition)
    ON CONFLICT (name, dedupe_key) WHERE state = 'ready' AND dedupe_key IS NOT NULL DO NOTHING
    RETURNING id INTO v_id;
    EXIT WHEN v_id IS NOT NULL;
    SELECT id INTO v_id FROM messaging.tasks WHERE name = p_name AND dedupe_key = p_key AND state = 'ready';
  END LOOP;
  RETURN v_id;
END
$$;

-- Whether a claim may lease this task: none of its partition is leased, nor will be before the claim commits.
CREATE OR REPLACE FUNCTION messaging.may_lease(p_id uuid, p_name text, p_partition text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended(p_name || ' ' || p_partition, 0)) THEN
    RETURN false;
  END IF;
  -- A statement of its own: it sees what claims before this lock have committed.
  RETURN NOT EXISTS (
    SELECT FROM messaging.tasks
    WHERE name = p_name AND partition_key = p_partition AND state = 'ready' AND lease_until IS NOT NULL AND id <> p_id);
END
$$;

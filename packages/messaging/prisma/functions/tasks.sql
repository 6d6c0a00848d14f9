-- Adds a task and returns its id. With a key: returns the open task of this name and key, if there is one. Only the release before
-- gives p_max_in_flight and p_unless_dead.
CREATE OR REPLACE FUNCTION messaging.enqueue_task(
  p_name text, p_payload jsonb, p_headers jsonb DEFAULT '{}', p_delay_ms bigint DEFAULT 0, p_key text DEFAULT NULL,
  p_partition text DEFAULT NULL, p_max_in_flight integer DEFAULT NULL, p_unless_dead boolean DEFAULT false
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  IF p_unless_dead THEN
    SELECT tasks.id INTO v_id FROM messaging.tasks JOIN messaging.dead_letters AS letter
      ON letter.source = tasks.name AND letter.message_id = tasks.id AND letter.replayed_at IS NULL
    WHERE tasks.name = p_name AND tasks.dedupe_key = p_key AND tasks.state = 'dead' LIMIT 1;
  END IF;
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
CREATE OR REPLACE FUNCTION messaging.take_turn(p_id uuid, p_name text, p_partition text) RETURNS boolean LANGUAGE plpgsql AS $$
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

-- The release before saves tasks with a lease of its own, and gives permits: its triggers go with it. A task is saved without a lease.
CREATE OR REPLACE FUNCTION messaging.park_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.attempts := 0;
    NEW.lease_epoch := 0;
    NEW.lease_until := NULL;
  END IF;
  RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION messaging.hand_on_permit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM messaging.task_partitions WHERE name = OLD.name AND partition_key = OLD.partition_key;
  RETURN NULL;
END
$$;

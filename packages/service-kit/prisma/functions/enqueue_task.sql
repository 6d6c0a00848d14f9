-- Adds a task with all that one can have; answers its id. With a key: nothing while a task of this name and key is open, or,
-- with p_unless_dead, is a dead letter that waits for somebody, and the id of that one. With a partition: at most
-- p_max_in_flight of its tasks run at a time.
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
    SELECT id INTO v_id FROM messaging.tasks WHERE name = p_name AND dedupe_key = p_key AND state = 'ready';
    EXIT WHEN v_id IS NOT NULL;
    -- An exception, not ON CONFLICT: a task that is not added must take no permit of its partition either.
    BEGIN
      INSERT INTO messaging.tasks (name, dedupe_key, payload, headers, due_at, partition_key, max_in_flight)
      VALUES (p_name, p_key, p_payload, p_headers, clock_timestamp() + p_delay_ms * interval '1 millisecond', p_partition,
        p_max_in_flight)
      RETURNING id INTO v_id;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END LOOP;
  RETURN v_id;
END
$$;

-- Adds a task with all that one can have; answers its id. With a key: nothing while a task of this name and key is open, and
-- the id of that one. With a partition: at most p_max_in_flight of its tasks run at a time. Priority 1 is background work.
CREATE OR REPLACE FUNCTION messaging.enqueue_task(
  p_name text, p_payload jsonb, p_headers jsonb DEFAULT '{}', p_delay_ms bigint DEFAULT 0, p_key text DEFAULT NULL,
  p_partition text DEFAULT NULL, p_max_in_flight integer DEFAULT NULL, p_priority integer DEFAULT 0
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  LOOP
    SELECT id INTO v_id FROM messaging.tasks WHERE name = p_name AND dedupe_key = p_key AND state = 'ready';
    EXIT WHEN v_id IS NOT NULL;
    -- An exception, not ON CONFLICT: a task that is not added must take no permit of its partition either.
    BEGIN
      INSERT INTO messaging.tasks (name, dedupe_key, payload, headers, due_at, partition_key, max_in_flight, priority)
      VALUES (p_name, p_key, p_payload, p_headers, clock_timestamp() + p_delay_ms * interval '1 millisecond', p_partition,
        p_max_in_flight, p_priority)
      RETURNING id INTO v_id;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
    EXIT WHEN v_id IS NOT NULL;
  END LOOP;
  RETURN v_id;
END
$$;

-- For SQL functions of the service: adds the task unless one with this key is open; answers which one it is.
CREATE OR REPLACE FUNCTION messaging.enqueue_once(
  p_name text, p_key text, p_payload jsonb, p_headers jsonb DEFAULT '{}', p_delay_ms bigint DEFAULT 0
) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  -- The open one may end between the two statements.
  LOOP
    INSERT INTO messaging.tasks (name, dedupe_key, payload, headers, due_at)
    VALUES (p_name, p_key, p_payload, p_headers, clock_timestamp() + p_delay_ms * interval '1 millisecond')
    ON CONFLICT (name, dedupe_key) WHERE state = 'ready' AND dedupe_key IS NOT NULL DO NOTHING RETURNING id INTO v_id;
    EXIT WHEN v_id IS NOT NULL;
    SELECT id INTO v_id FROM messaging.tasks WHERE name = p_name AND dedupe_key = p_key AND state = 'ready';
    EXIT WHEN v_id IS NOT NULL;
  END LOOP;
  RETURN v_id;
END
$$;

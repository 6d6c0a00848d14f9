-- For SQL functions of the service: adds a task that is due in `delay_ms`; `messaging.wake()` in the process follows.
CREATE OR REPLACE FUNCTION messaging.enqueue(name text, payload jsonb, headers jsonb DEFAULT '{}', delay_ms bigint DEFAULT 0)
RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO messaging.tasks (name, payload, headers, due_at)
  VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond') RETURNING id
$$;

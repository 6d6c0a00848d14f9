-- For SQL functions of the service that save state and tasks in one statement. With p_lease_ms the task is born held: its
-- first attempt is that of the process that commits it, and nobody claims it unless that process lets the lease run out.
CREATE FUNCTION messaging.enqueue_held(p_name text, p_payload jsonb, p_headers jsonb, p_lease_ms double precision)
RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO messaging.tasks (name, payload, headers, attempts, lease_epoch, lease_until)
  SELECT p_name, p_payload, p_headers, held, held, clock_timestamp() + p_lease_ms * interval '1 millisecond'
  FROM (SELECT CASE WHEN p_lease_ms IS NULL THEN 0 ELSE 1 END) AS as_number (held)
  RETURNING id
$$;

-- Ends a held task in the statement of a service's own SQL function. Raises LL001, and so undoes the whole statement, where
-- another worker holds the task by now.
CREATE FUNCTION messaging.complete_task(p_id uuid, p_epoch bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE messaging.tasks SET state = 'done', finished_at = clock_timestamp(), lease_until = NULL
  WHERE id = p_id AND lease_epoch = p_epoch AND state = 'ready';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the lease of task % went to another worker', p_id USING ERRCODE = 'LL001';
  END IF;
END
$$;

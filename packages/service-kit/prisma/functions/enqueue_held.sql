-- For SQL functions of the service that save state and tasks in one statement. With p_lease_ms the task is pre-leased: its
-- first attempt is that of the process that commits it, and nobody claims it unless that process lets the lease run out.
CREATE OR REPLACE FUNCTION messaging.enqueue_held(p_name text, p_payload jsonb, p_headers jsonb, p_lease_ms double precision)
RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO messaging.tasks (name, payload, headers, attempts, lease_epoch, lease_until)
  SELECT p_name, p_payload, p_headers, held, held, clock_timestamp() + p_lease_ms * interval '1 millisecond'
  FROM (SELECT CASE WHEN p_lease_ms IS NULL THEN 0 ELSE 1 END) AS as_number (held)
  RETURNING id
$$;

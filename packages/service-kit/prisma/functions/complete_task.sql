-- Ends a held task in the statement of a service's own SQL function. Raises LL001, and so undoes the whole statement, if
-- another worker holds the task by now.
CREATE OR REPLACE FUNCTION messaging.complete_task(p_id uuid, p_epoch bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE messaging.tasks SET state = 'done', finished_at = clock_timestamp(), lease_until = NULL
  WHERE id = p_id AND lease_epoch = p_epoch AND state = 'ready';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the lease of task % went to another worker', p_id USING ERRCODE = 'LL001';
  END IF;
END
$$;

-- Saves the task that settles an operation, and answers its id; null for one that holds no credit of its own. Plain SQL, and each
-- argument once, so that the planner puts it into the statement that calls it.
CREATE OR REPLACE FUNCTION enqueue_settlement(p_operation_id uuid, p_settlement text, p_charge integer, p_headers jsonb)
RETURNS uuid LANGUAGE sql AS $$
  SELECT CASE WHEN p_settlement = 'pending' THEN messaging.enqueue(
    'settle-operation', jsonb_build_object('operationId', p_operation_id, 'charge', p_charge), p_headers) END
$$;

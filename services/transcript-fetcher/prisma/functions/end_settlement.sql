-- Ends the task of a settlement: the ledger has settled or released, or cannot charge any more (uncollected). Answers the
-- operation as it now is; no row if its credit had been resolved before, or if it does not owe as much any more: the charge may
-- have been voided meanwhile.
CREATE OR REPLACE FUNCTION end_settlement(p_task_id uuid, p_epoch bigint, p_operation_id uuid, p_settlement text)
RETURNS SETOF operations LANGUAGE sql AS $$
  SELECT messaging.complete_task(p_task_id, p_epoch);
  UPDATE operations SET settlement = p_settlement
  WHERE id = p_operation_id AND settlement = 'pending' AND (charge > 0) = (p_settlement <> 'released') RETURNING *
$$;

-- A delivery whose reservation the ledger has lost, and which it cannot charge any more, is left uncollected.
ALTER TABLE operations DROP CONSTRAINT operations_settlement_check;
ALTER TABLE operations ADD CONSTRAINT operations_settlement_check
  CHECK (settlement IN ('pending', 'settled', 'released', 'uncollected'));

-- As before; but a delivery ends as settled or as uncollected.
CREATE OR REPLACE FUNCTION end_settlement(p_task_id uuid, p_epoch bigint, p_operation_id uuid, p_settlement text)
RETURNS SETOF operations LANGUAGE sql AS $$
  SELECT messaging.complete_task(p_task_id, p_epoch);
  UPDATE operations SET settlement = p_settlement
  WHERE id = p_operation_id AND settlement = 'pending' AND (charge > 0) = (p_settlement <> 'released') RETURNING *
$$;

-- Remembers which keys of the given accounts share the day of another.
CREATE OR REPLACE FUNCTION save_limits(p_operations ledger_operation[], p_account_ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO key_limits (account_id, limit_id, key_id)
  SELECT DISTINCT o.account_id, o.limit_id, o.key_id FROM unnest(p_operations) AS o
  WHERE o.limit_id IS NOT NULL AND o.kind = 'reserve' AND o.account_id = ANY (p_account_ids)
  ON CONFLICT DO NOTHING
$$;

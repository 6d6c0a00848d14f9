-- Nobody has the job of this line: what was charged for its rows is given back.
CREATE OR REPLACE FUNCTION disown_line(p_line_id uuid, p_account_id uuid, p_due uuid) RETURNS void LANGUAGE sql AS $$
  WITH voided AS (
    UPDATE operations SET charge = 0, disowned_at = now()
    WHERE line_id = p_line_id AND lane = 1 AND account_id = p_account_id AND disowned_at IS NULL
    RETURNING ref, part, key_id, state
  )
  INSERT INTO dues (id, rounds, due_at)
  SELECT p_due, jsonb_agg(jsonb_build_object('ref', ref, 'lane', 1, 'line_id', p_line_id, 'account_id', p_account_id, 'key_id', key_id,
    'charge', '[]'::jsonb, 'give_back', parts)), now() + interval '10 seconds'
  FROM (
    SELECT ref, min(key_id::text) AS key_id, jsonb_agg(part) AS parts FROM voided
    WHERE ref IS NOT NULL AND state = 'delivered' GROUP BY ref) AS r
  HAVING count(*) > 0
$$;

-- The answer to a call: the balance as it is after it, which of the given parts are charged, and how many parts are still held.
CREATE OR REPLACE FUNCTION answer_of_job(p_job booked_job, p_asked smallint[], p_balance ledger_answer)
RETURNS parts_answer LANGUAGE sql IMMUTABLE AS $$
  SELECT (
    1, (p_job).outcome, p_balance.account_id, p_balance.free, p_balance.purchased, p_balance.reserved, p_balance.version,
    p_balance.month, p_balance.told,
    CASE WHEN (p_job).outcome = 'conflict' THEN '{}' ELSE ARRAY(
      SELECT n FROM unnest(p_asked) AS n WHERE get_bit(((p_job).parts).charged, n - 1) = 1 GROUP BY n ORDER BY n
    ) END,
    CASE WHEN ((p_job).held).state = 'in_parts' AND (p_job).outcome <> 'conflict'
      THEN length(((p_job).parts).charged) - bit_count(((p_job).parts).charged)
      ELSE 0
    END
  )::parts_answer
$$;

-- Grants purchases in one commit, each as `grant_purchase` does. An account that somebody keeps locked is busy, and holds up none of
-- the others.
CREATE OR REPLACE FUNCTION grant_purchases(
  p_purchases jsonb, p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_given record;
  v_answer ledger_answer;
BEGIN
  -- In the order in which everybody locks several.
  PERFORM enter_in_turn(
    ARRAY(SELECT account_id FROM jsonb_to_recordset(p_purchases) AS given (account_id uuid)), p_now
  );
  FOR v_given IN
    SELECT given.* FROM ROWS FROM (
      jsonb_to_recordset(p_purchases) AS (account_id uuid, ref text, amount integer)
    ) WITH ORDINALITY AS given (account_id, ref, amount, item)
    ORDER BY given.item
  LOOP
    SELECT * INTO STRICT v_answer
    FROM grant_purchase(v_given.account_id, v_given.ref, v_given.amount, p_request_id, p_now);
    v_answer.item := v_given.item;
    RETURN NEXT v_answer;
  END LOOP;
END
$$;

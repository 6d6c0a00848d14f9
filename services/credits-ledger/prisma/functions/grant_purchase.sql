-- Grants a purchase as a block, once per ref. Outcomes as of `grant_credits`; a ref of another account is a conflict, too.
CREATE OR REPLACE FUNCTION grant_purchase(
  p_account_id uuid, p_ref text, p_amount integer, p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms' AS $$
DECLARE
  v_answer ledger_answer;
  v_nobody accounts;
BEGIN
  IF EXISTS (SELECT FROM blocks WHERE ref = p_ref AND (account_id, amount) <> (p_account_id, p_amount)) THEN
    RETURN NEXT answer_of(1, 'conflict', v_nobody, false);
    RETURN;
  END IF;
  SELECT * INTO STRICT v_answer FROM grant_credits(p_account_id, p_ref, p_amount, 'purchase', p_request_id, p_now);
  IF v_answer.outcome = 'granted' THEN
    INSERT INTO blocks (ref, account_id, amount, standing, granted_at)
    VALUES (p_ref, p_account_id, p_amount, p_amount, p_now) ON CONFLICT (ref) DO NOTHING;
  END IF;
  RETURN NEXT v_answer;
END
$$;

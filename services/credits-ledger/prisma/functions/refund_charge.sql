-- Gives back what a settled reservation has charged, once per ref, as purchased credits: free ones of a past month would
-- be worth nothing. Outcomes: granted, also when repeated; closed (closed accounts are given nothing); busy; unknown
-- if nothing was charged under this ref.
CREATE OR REPLACE FUNCTION refund_charge(p_ref text, p_request_id text, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SET lock_timeout = '300ms' AS $$
DECLARE
  v_held reservations;
  v_nobody accounts;
BEGIN
  SELECT * INTO v_held FROM reservations WHERE ref = p_ref AND state = 'settled';
  IF NOT FOUND THEN
    RETURN NEXT answer_of(1, 'unknown', v_nobody, false);
    RETURN;
  END IF;
  RETURN QUERY SELECT * FROM grant_credits(
    v_held.account_id, 'refund:' || p_ref, v_held.amount, 'refund', p_request_id, p_now
  );
END
$$;

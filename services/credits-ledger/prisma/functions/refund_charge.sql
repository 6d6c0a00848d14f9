-- Gives back what a reservation has charged, once per ref and when nothing of it is held any more, as purchased credits: free ones
-- of a past month would be worth nothing. Outcomes: granted, also when repeated; closed (closed accounts are given nothing); busy; unknown
-- if nothing was charged under this ref, or some of it is still held.
CREATE OR REPLACE FUNCTION refund_charge(p_ref text, p_request_id text, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_held record;
  v_nobody accounts;
BEGIN
  SELECT r.account_id, coalesce(p.credits_charged, CASE WHEN r.state = 'settled' THEN r.amount END) AS charged INTO v_held
  FROM reservations AS r LEFT JOIN reservation_parts AS p USING (ref)
  WHERE r.ref_month = month_of_ref(p_ref) AND r.ref = p_ref AND r.state IN ('settled', 'released');
  IF v_held.charged IS NULL OR v_held.charged = 0 THEN
    RETURN NEXT answer_of(1, 'unknown', v_nobody, false);
    RETURN;
  END IF;
  RETURN QUERY SELECT * FROM grant_credits(
    v_held.account_id, 'refund:' || p_ref, v_held.charged, 'refund', p_request_id, p_now
  );
END
$$;

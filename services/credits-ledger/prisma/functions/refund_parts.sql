-- Gives back what was charged for parts, once per ref and part, as purchased credits: free ones of a past month would be worth
-- nothing. Outcomes: granted, also when repeated; closed (closed accounts are given nothing); unknown (nobody has reserved under this
-- ref); busy. Answers those of the parts that are refunded as `charged`.
CREATE OR REPLACE FUNCTION refund_parts(
  p_ref text, p_parts smallint[], p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_account_id uuid := (
    SELECT account_id FROM reservations WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref
  );
  v_account accounts;
  v_of booked_reservation;
  v_parts smallint[];
  v_credits integer;
  v_told boolean;
  v_answer ledger_answer;
BEGIN
  IF v_account_id IS NOT NULL THEN
    v_account := enter_account(v_account_id, p_now);
  END IF;
  IF v_account.account_id IS NULL THEN
    RETURN NEXT answer_of(1, CASE WHEN v_account_id IS NULL THEN 'unknown' ELSE 'busy' END, v_account, false);
    RETURN;
  END IF;
  v_told := v_account.free_month < month_of(p_now) AND v_account.status <> 'closed';
  v_account := grant_month(v_account, p_now);
  v_of := reserved_under(p_ref);
  v_parts := ARRAY(
    SELECT n FROM unnest(p_parts) AS n WHERE has_part(v_of.charged, n) AND NOT has_part(v_of.refunded, n) ORDER BY n
  );
  v_credits := v_of.unit * cardinality(v_parts);
  IF v_credits > 0 AND v_account.status <> 'closed' THEN
    v_account := append_parts_entry(v_account, v_of, 'refund', 0, v_credits, v_parts, p_request_id, p_now);
    v_account := pay_debt(v_account, 'refund:' || p_ref || ':' || v_account.version, v_credits, p_now);
    PERFORM tell_granted(v_account_id, 'purchased', v_credits, p_ref);
    v_told := true;
    v_of.refunded := with_parts(v_of.refunded, v_parts);
    UPDATE reservations SET refunded = v_of.refunded WHERE ref_month = v_of.ref_month AND ref = p_ref;
  END IF;
  PERFORM save_account(v_account);
  v_answer := answer_of(
    1, CASE WHEN v_credits > 0 AND v_account.status = 'closed' THEN 'closed' ELSE 'granted' END, v_account, v_told
  );
  v_answer.charged := ARRAY(SELECT n FROM unnest(p_parts) AS n WHERE has_part(v_of.refunded, n) ORDER BY n);
  RETURN NEXT v_answer;
END
$$;

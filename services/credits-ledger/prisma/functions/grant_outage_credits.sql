-- Gives a tenth of what a day's deliveries cost back as purchased credits, to the next `p_limit` accounts after `p_after`
-- that were charged at least ten; once per account and day, whatever repeats. Frozen accounts are given it and stay frozen.
-- Outcomes: granted; repeated (it was granted before); closed; busy. A day can be judged when it is over for a minute: no
-- statement that began in it is under way any more.
CREATE OR REPLACE FUNCTION grant_outage_credits(
  p_day date, p_after uuid, p_limit integer, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF ledger_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_due record;
  v_item bigint := 0;
  v_ref text;
  v_account accounts;
  v_outcome text;
  v_month_before text;
BEGIN
  IF p_now < (p_day + 1)::timestamp AT TIME ZONE 'UTC' + interval '1 minute' THEN
    RAISE EXCEPTION 'the day % is not over', p_day USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  FOR v_due IN
    SELECT account_id, (sum(credits_charged) / 10)::integer AS amount
    FROM key_days WHERE day = p_day AND account_id > p_after
    GROUP BY account_id HAVING sum(credits_charged) >= 10
    ORDER BY account_id LIMIT p_limit
  LOOP
    v_item := v_item + 1;
    v_ref := format('outage:%s:%s', v_due.account_id, to_char(p_day, 'YYYY-MM-DD'));
    v_account := enter_account(v_due.account_id, p_now);
    IF v_account.account_id IS NULL THEN
      RETURN NEXT (v_item, 'busy', v_due.account_id, NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL)::ledger_answer;
      CONTINUE;
    END IF;
    v_month_before := v_account.free_month;
    v_account := grant_month(v_account, p_now);
    v_outcome := CASE WHEN v_account.status = 'closed' THEN 'closed' ELSE 'granted' END;
    IF EXISTS (
      SELECT FROM entries
      WHERE account_id = v_due.account_id AND kind = 'grant' AND ref = v_ref AND reserved_delta = 0
    ) THEN
      v_outcome := 'repeated';
    ELSIF v_outcome = 'granted' THEN
      v_account := append_entry(v_account, 'grant', v_ref, 0, v_due.amount, 0, 'outage', NULL, NULL, p_now);
      v_account := pay_debt(v_account, 'grant:' || v_ref, v_due.amount, p_now);
      PERFORM tell_granted(v_due.account_id, 'purchased', v_due.amount, v_ref);
    END IF;
    PERFORM save_account(v_account);
    RETURN NEXT answer_of(
      v_item, v_outcome, v_account, v_outcome = 'granted' OR v_account.free_month > v_month_before
    );
  END LOOP;
END
$$;

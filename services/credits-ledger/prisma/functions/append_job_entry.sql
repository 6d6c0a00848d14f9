-- Writes one entry of a reservation in parts, which is locked, and saves the account.
CREATE OR REPLACE FUNCTION append_job_entry(
  p_job booked_job, p_kind text, p_free integer, p_purchased integer, p_reserved integer, p_parts smallint[],
  p_request_id text, p_now timestamptz
) RETURNS booked_job LANGUAGE plpgsql AS $$
DECLARE
  v_held reservations := p_job.held;
  v_before accounts := p_job.account;
  v_account accounts;
  v_lines integer;
  v_key_id uuid := key_or_nobody(v_held.key_id);
BEGIN
  v_account := append_entry(
    v_before, p_kind, v_held.ref, p_free, p_purchased, p_reserved, v_held.reason, v_held.key_id,
    coalesce(v_held.request_id, p_request_id), p_now, v_held.subject, p_parts
  );
  v_lines := v_account.lines - v_before.lines;
  IF p_purchased > 0 THEN
    v_account := pay_debt(v_account, 'release:' || v_held.ref, p_purchased, p_now);
  END IF;
  PERFORM save_account(v_account);
  INSERT INTO key_days AS k (account_id, day, key_id, credits_charged, settled, released, lines)
  VALUES (
    v_held.account_id, day_of(p_now), v_key_id, CASE WHEN p_kind = 'settle' THEN -p_reserved ELSE 0 END,
    coalesce(cardinality(p_parts), 0), (p_kind = 'release')::integer, v_lines
  )
  ON CONFLICT (account_id, day, key_id) DO UPDATE
  SET credits_charged = k.credits_charged + excluded.credits_charged, settled = k.settled + excluded.settled,
      released = k.released + excluded.released, lines = k.lines + excluded.lines;
  IF p_kind = 'release' THEN
    UPDATE key_days SET credits_used = credits_used + p_reserved
    WHERE account_id = v_held.account_id AND day = day_of(v_held.created_at) AND key_id = v_key_id;
  END IF;
  p_job.account := v_account;
  RETURN p_job;
END
$$;

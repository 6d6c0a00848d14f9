-- Locks the account of a reservation, grants its month and reads the reservation, which nobody else changes from then on. Decides
-- nothing but: unknown, released (by a release that came first) and busy.
CREATE OR REPLACE FUNCTION enter_job(p_ref text, p_now timestamptz) RETURNS booked_job LANGUAGE plpgsql AS $$
DECLARE
  v_job booked_job;
  v_held reservations;
  v_of reservation_parts;
  v_account accounts;
  v_month_before text;
BEGIN
  SELECT * INTO v_held FROM reservations WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref;
  IF v_held.account_id IS NULL THEN
    v_job.outcome := coalesce(v_held.state, 'unknown');
    RETURN v_job;
  END IF;
  v_account := enter_account(v_held.account_id, p_now);
  IF v_account.account_id IS NULL THEN
    v_job.outcome := 'busy';
    RETURN v_job;
  END IF;
  v_month_before := v_account.free_month;
  v_account := grant_month(v_account, p_now);
  PERFORM save_account(v_account);
  SELECT * INTO v_held FROM reservations WHERE ref_month = month_of_ref(p_ref) AND ref = p_ref;
  SELECT * INTO v_of FROM reservation_parts WHERE ref = p_ref;
  v_job.held := v_held;
  v_job.parts := v_of;
  v_job.account := v_account;
  v_job.told := v_account.free_month > v_month_before;
  IF v_of.ref IS NULL THEN
    v_job.outcome := 'conflict';
  END IF;
  RETURN v_job;
END
$$;

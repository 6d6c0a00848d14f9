-- Gives back what is not charged of a reservation in parts, to where it came from: parts are charged with free credits first, and
-- free credits of a past month lapse. Outcomes: released; settled (all was charged); unknown, conflict and busy as of
-- `settle_parts`.
CREATE OR REPLACE FUNCTION release_rest(
  p_ref text, p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF parts_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_job booked_job := enter_job(p_ref, p_now);
  v_held reservations := v_job.held;
  v_rest integer := v_held.amount - (v_job.parts).credits_charged;
  v_rest_of_free integer := greatest(v_held.from_free - (v_job.parts).credits_charged, 0);
  v_is_its_month boolean := v_held.free_month = greatest((v_job.account).free_month, month_of(p_now));
BEGIN
  IF v_job.outcome IS NULL AND v_held.state <> 'in_parts' THEN
    v_job.outcome := v_held.state;
  ELSIF v_job.outcome IS NULL THEN
    v_job.outcome := 'released';
    v_job := append_job_entry(
      v_job, 'release', CASE WHEN v_is_its_month THEN v_rest_of_free ELSE 0 END, v_rest - v_rest_of_free, -v_rest, NULL,
      p_request_id, p_now
    );
    v_job := resolve_job(v_job, 'released', p_now);
  END IF;
  RETURN NEXT answer_of_job(v_job, all_parts(v_job), answer_of(1, v_job.outcome, v_job.account, v_job.told));
END
$$;

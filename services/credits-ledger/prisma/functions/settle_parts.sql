-- Charges some parts of a reservation, or all that are left (NULL), each once for ever; one entry per call. Outcomes: settled;
-- released (what was not charged by then was given back); unknown; conflict (there are no such parts); busy.
CREATE OR REPLACE FUNCTION settle_parts(
  p_ref text, p_parts smallint[], p_request_id text, p_now timestamptz DEFAULT clock_timestamp()
) RETURNS SETOF parts_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '300ms'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_job booked_job := enter_job(p_ref, p_now);
  v_of reservation_parts := v_job.parts;
  v_asked smallint[] := coalesce(p_parts, all_parts(v_job));
  v_new smallint[];
  v_part smallint;
BEGIN
  IF EXISTS (SELECT FROM unnest(v_asked) AS n WHERE n NOT BETWEEN 1 AND length(v_of.charged)) THEN
    v_job.outcome := 'conflict';
  ELSIF v_job.outcome IS NULL AND (v_job.held).state <> 'in_parts' THEN
    v_job.outcome := (v_job.held).state;
  ELSIF v_job.outcome IS NULL THEN
    v_job.outcome := 'settled';
    v_new := ARRAY(
      SELECT n FROM unnest(v_asked) AS n WHERE get_bit(v_of.charged, n - 1) = 0 GROUP BY n ORDER BY n
    );
    FOREACH v_part IN ARRAY v_new LOOP
      v_of.charged := set_bit(v_of.charged, v_part - 1, 1);
    END LOOP;
    v_of.credits_charged := v_of.unit * bit_count(v_of.charged);
    v_job.parts := v_of;
    IF cardinality(v_new) > 0 THEN
      UPDATE reservation_parts SET charged = v_of.charged, credits_charged = v_of.credits_charged WHERE ref = p_ref;
      v_job := append_job_entry(v_job, 'settle', 0, 0, -v_of.unit * cardinality(v_new), v_new, p_request_id, p_now);
    END IF;
    IF v_of.credits_charged = (v_job.held).amount THEN
      v_job := resolve_job(v_job, 'settled', p_now);
    END IF;
  END IF;
  RETURN NEXT answer_of_job(v_job, v_asked, answer_of(1, v_job.outcome, v_job.account, v_job.told));
END
$$;

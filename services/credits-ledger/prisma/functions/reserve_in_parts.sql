-- Reserves credits for a job of `parts` parts that cost `unit` each, under one ref. Takes what a reserve of `apply_operations`
-- takes, but `unit` and `parts` in place of the amount, and keeps the same rules for the sum of all parts. Outcomes: as there.
-- Answers all parts that are charged.
CREATE OR REPLACE FUNCTION reserve_in_parts(p_request jsonb, p_now timestamptz DEFAULT clock_timestamp())
RETURNS SETOF parts_answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s'
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  v_ref text := p_request ->> 'ref';
  v_unit integer := p_request ->> 'unit';
  v_count integer := p_request ->> 'parts';
  v_answer ledger_answer;
  v_job booked_job;
  v_held reservations;
  v_of reservation_parts;
BEGIN
  SELECT * INTO STRICT v_answer FROM apply_operations(
    jsonb_build_array(p_request || jsonb_build_object('kind', 'reserve', 'amount', v_unit::bigint * v_count)), p_now
  );
  IF v_answer.outcome = 'reserved' AND reserved_just_now(v_answer.account_id, v_ref) THEN
    UPDATE reservations SET state = 'in_parts' WHERE ref_month = month_of_ref(v_ref) AND ref = v_ref;
    INSERT INTO reservation_parts (ref, unit, charged) VALUES (v_ref, v_unit, repeat('0', v_count)::varbit);
  END IF;
  SELECT * INTO v_held FROM reservations WHERE ref_month = month_of_ref(v_ref) AND ref = v_ref;
  SELECT * INTO v_of FROM reservation_parts WHERE ref = v_ref;
  v_job.held := v_held;
  v_job.parts := v_of;
  v_job.outcome := CASE
    WHEN v_answer.outcome NOT IN ('reserved', 'in_parts', 'settled', 'released') OR v_held.account_id IS NULL
      THEN v_answer.outcome
    WHEN v_of.unit = v_unit AND length(v_of.charged) = v_count THEN replace(v_answer.outcome, 'in_parts', 'reserved')
    ELSE 'conflict'
  END;
  RETURN NEXT answer_of_job(v_job, all_parts(v_job), v_answer);
END
$$;

-- Nothing of a reservation in parts, which is locked, is held any more.
CREATE OR REPLACE FUNCTION resolve_job(p_job booked_job, p_state text, p_now timestamptz)
RETURNS booked_job LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reservations SET state = p_state, resolved_at = p_now
  WHERE ref_month = (p_job.held).ref_month AND ref = (p_job.held).ref;
  p_job.held.state := p_state;
  RETURN p_job;
END
$$;

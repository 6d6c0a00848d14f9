-- Nothing of a reservation in parts, which is locked, is held any more.
CREATE OR REPLACE FUNCTION resolve_job(p_job job_in_parts, p_state text, p_now timestamptz)
RETURNS job_in_parts LANGUAGE plpgsql AS $$
BEGIN
  UPDATE reservations SET state = p_state, resolved_at = p_now WHERE ref = (p_job.held).ref;
  p_job.held.state := p_state;
  RETURN p_job;
END
$$;

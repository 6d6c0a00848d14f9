-- Keeps disowning a request and telling it a charge apart, even if the request opened no operation of its own.
CREATE OR REPLACE FUNCTION lock_request(p_request_id text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(p_request_id, 7221))
$$;

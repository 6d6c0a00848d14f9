-- For SQL functions of the service that save state and an event in one statement; `messaging.wake()` in the process follows.
CREATE OR REPLACE FUNCTION messaging.emit(subject text, payload jsonb, headers jsonb DEFAULT '{}') RETURNS uuid LANGUAGE sql AS $$
  INSERT INTO messaging.outbox (subject, payload, headers) VALUES ($1, $2, $3) RETURNING id
$$;

-- The next version of a row whose events carry it. By the clock at least, so that a database that goes back goes on above all
-- that others have seen.
CREATE OR REPLACE FUNCTION messaging.next_version(p_version bigint) RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT greatest(p_version + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;

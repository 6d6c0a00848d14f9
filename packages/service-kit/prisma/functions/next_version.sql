-- The next version of a row whose events carry it. By the clock at least, so that a database that goes back goes on above all
-- that others have seen.
CREATE OR REPLACE FUNCTION messaging.next_version(p_version bigint) RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT greatest(p_version + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;

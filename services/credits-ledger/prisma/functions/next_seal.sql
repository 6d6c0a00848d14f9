-- The next link of an account's chain of hashes.
CREATE OR REPLACE FUNCTION next_seal(p_before bytea, p_entry bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(p_before || p_entry)
$$;

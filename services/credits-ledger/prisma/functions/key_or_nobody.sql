-- Work that no key asked for is counted under the nil key: a column of a primary key cannot be NULL.
CREATE OR REPLACE FUNCTION key_or_nobody(p_key_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(p_key_id, '00000000-0000-0000-0000-000000000000')
$$;

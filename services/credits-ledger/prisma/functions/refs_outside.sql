-- Those of the refs whose months are not open.
CREATE OR REPLACE FUNCTION refs_outside(p_refs text[]) RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(SELECT r FROM unnest(p_refs) AS r WHERE NOT month_is_open(month_of_ref(r)))
$$;

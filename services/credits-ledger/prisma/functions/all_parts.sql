-- The numbers of all parts of a reservation; none if it is not in parts.
CREATE OR REPLACE FUNCTION all_parts(p_job booked_job) RETURNS smallint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT n::smallint FROM generate_series(1, length(((p_job).parts).charged)) AS n)
$$;

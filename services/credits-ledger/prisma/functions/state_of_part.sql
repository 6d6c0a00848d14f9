-- What became of a part of a reservation: charged, given_back, held, or none of these.
CREATE OR REPLACE FUNCTION state_of_part(p_held booked_reservation, p_part integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN has_part((p_held).charged, p_part) THEN 'charged'
    WHEN has_part((p_held).given_back, p_part) THEN 'given_back'
    WHEN has_part((p_held).parts, p_part) THEN 'held'
    ELSE 'none'
  END
$$;

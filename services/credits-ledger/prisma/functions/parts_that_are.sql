-- Those of the given parts of a reservation that are in one of the given states.
CREATE OR REPLACE FUNCTION parts_that_are(p_held booked_reservation, p_states text[], p_parts smallint[])
RETURNS smallint[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_part smallint;
  v_found smallint[] := '{}';
BEGIN
  FOREACH v_part IN ARRAY p_parts LOOP
    IF state_of_part(p_held, v_part) = ANY (p_states) THEN
      v_found := v_found || v_part;
    END IF;
  END LOOP;
  RETURN v_found;
END
$$;

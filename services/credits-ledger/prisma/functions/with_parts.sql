-- The bits with those of more parts.
CREATE OR REPLACE FUNCTION with_parts(p_bits varbit, p_parts smallint[]) RETURNS varbit LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_part integer;
BEGIN
  FOREACH v_part IN ARRAY p_parts LOOP
    IF v_part > length(p_bits) THEN
      p_bits := p_bits || repeat('0', v_part - length(p_bits))::varbit;
    END IF;
    p_bits := set_bit(p_bits, v_part - 1, 1);
  END LOOP;
  RETURN p_bits;
END
$$;

-- The parts whose bits are set.
CREATE OR REPLACE FUNCTION parts_of(p_bits varbit) RETURNS smallint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY(SELECT n::smallint FROM generate_series(1, length(p_bits)) AS n WHERE get_bit(p_bits, n - 1) = 1)
$$;

-- Whether the bit of a part is set.
CREATE OR REPLACE FUNCTION has_part(p_bits varbit, p_part integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_part <= length(p_bits) THEN get_bit(p_bits, p_part - 1) = 1 ELSE false END
$$;

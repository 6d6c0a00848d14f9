-- The head of an account's seals after one more entry. An entry that does not follow from those before it is sealed as it is, and
-- the head remembers the first of them.
CREATE OR REPLACE FUNCTION add_to_seal(p_head seal_heads, p_entry entries) RETURNS seal_heads LANGUAGE plpgsql AS $$
BEGIN
  p_head.free := p_head.free + p_entry.free_delta;
  p_head.purchased := p_head.purchased + p_entry.purchased_delta;
  p_head.reserved := p_head.reserved + p_entry.reserved_delta;
  IF p_head.off_at IS NULL AND (
    p_entry.version <> p_head.version + 1 OR p_entry.period < p_head.period OR p_entry.free_after <> p_head.free
    OR p_entry.purchased_after <> p_head.purchased OR p_entry.reserved_after <> p_head.reserved
  ) THEN
    p_head.off_at := p_entry.version;
  END IF;
  p_head.version := p_entry.version;
  p_head.period := p_entry.period;
  p_head.hash := next_seal(p_head.hash, canonical_entry(p_entry));
  RETURN p_head;
END
$$;

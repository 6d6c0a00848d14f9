-- Writes down new seals, and the heads of the accounts that they belong to. The sealer of the release before may have been here.
CREATE OR REPLACE FUNCTION save_seals(p_seals entry_seals[], p_heads seal_heads[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO entry_seals (account_id, version, hash, sealed_at, period)
  SELECT account_id, version, hash, sealed_at, period FROM unnest(p_seals) ON CONFLICT DO NOTHING;
  INSERT INTO seal_heads SELECT * FROM unnest(p_heads) ON CONFLICT (account_id) DO UPDATE
  SET version = excluded.version, period = excluded.period, hash = excluded.hash, free = excluded.free,
      purchased = excluded.purchased, reserved = excluded.reserved, off_at = excluded.off_at;
END
$$;

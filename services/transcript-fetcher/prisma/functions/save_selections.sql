-- Remembers what requested languages lead to. The selections are JSON with the names of the columns, none of them twice.
CREATE OR REPLACE FUNCTION save_selections(p_selections jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO selections
  SELECT * FROM jsonb_populate_recordset(NULL::selections, p_selections) ORDER BY video_id, language
  ON CONFLICT (video_id, language) DO UPDATE SET transcript_id = excluded.transcript_id,
    is_fallback = excluded.is_fallback, translation = excluded.translation, available = excluded.available,
    expires_at = excluded.expires_at
$$;

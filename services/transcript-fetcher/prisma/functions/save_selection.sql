-- Remembers what a requested language leads to. The selection is JSON with the names of the columns.
CREATE OR REPLACE FUNCTION save_selection(p_selection jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO selections SELECT * FROM jsonb_populate_record(NULL::selections, p_selection)
  ON CONFLICT (video_id, language) DO UPDATE SET transcript_id = excluded.transcript_id,
    is_fallback = excluded.is_fallback, translation = excluded.translation, available = excluded.available,
    expires_at = excluded.expires_at
$$;

-- As open_operation; but changes nothing if the cache may have an answer for the track: `refused` is then `known`.
CREATE OR REPLACE FUNCTION open_unless_known(
  p_id uuid, p_account_id uuid, p_key_id uuid, p_video_id bpchar, p_language text, p_fallback boolean, p_format text,
  p_day date, p_scopes text[], p_most integer[], p_has_place boolean
) RETURNS TABLE (opened_id uuid, is_new boolean, refused text) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF EXISTS (SELECT FROM selections AS s WHERE s.video_id = p_video_id AND s.language = p_language)
     OR EXISTS (SELECT FROM transcripts AS t WHERE t.video_id = p_video_id AND t.language_code = p_language)
     OR EXISTS (SELECT FROM videos AS v WHERE v.id = p_video_id AND v.fact IS NOT NULL) THEN
    refused := 'known';
    RETURN NEXT;
    RETURN;
  END IF;
  RETURN QUERY SELECT * FROM open_operation(
    p_id, p_account_id, p_key_id, p_video_id, p_language, p_fallback, p_format, p_day, p_scopes, p_most, p_has_place
  );
END
$$;

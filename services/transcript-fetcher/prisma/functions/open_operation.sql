-- Only for the release before, whose price is 1: as admit_operation without p_unless_known.
CREATE OR REPLACE FUNCTION open_operation(
  p_id uuid, p_account_id uuid, p_key_id uuid, p_video_id bpchar, p_language text, p_fallback boolean, p_format text,
  p_day date, p_scopes text[], p_most integer[], p_has_place boolean
) RETURNS TABLE (opened_id uuid, is_new boolean, refused text) LANGUAGE sql AS $$
  SELECT * FROM admit_operation(
    jsonb_build_object('id', p_id, 'account_id', p_account_id, 'key_id', p_key_id, 'video_id', p_video_id,
      'language', p_language, 'fallback', p_fallback, 'format', p_format, 'price', 1),
    p_day, p_scopes, p_most, p_has_place, false)
$$;

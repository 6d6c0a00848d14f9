-- As save_videos, for one.
CREATE OR REPLACE FUNCTION save_video(p_video jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT save_videos(jsonb_build_array(p_video))
$$;

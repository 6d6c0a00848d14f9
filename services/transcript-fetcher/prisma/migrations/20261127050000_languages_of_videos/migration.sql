-- What a video's tracks are, beside caption_tracks, and when the platform said so; all null if only an earlier release has asked.
ALTER TABLE videos
  -- Null if the platform does not say it.
  ADD COLUMN original_language text,
  ADD COLUMN translatable boolean,
  ADD COLUMN tracks_at timestamptz(3);

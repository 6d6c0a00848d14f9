-- What the player's answer says of a video beside its name and date; null is unknown.
ALTER TABLE videos
  ADD COLUMN description text,
  ADD COLUMN tags jsonb,
  ADD COLUMN view_count bigint,
  ADD COLUMN thumbnail_url text,
  -- [{start, title}], from the description.
  ADD COLUMN chapters jsonb;

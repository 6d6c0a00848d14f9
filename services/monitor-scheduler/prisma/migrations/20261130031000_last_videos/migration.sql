ALTER TABLE monitors ADD COLUMN last_videos jsonb;

-- What a manifest says of a delivered video and its transcript.
ALTER TABLE job_rows ADD COLUMN view_count bigint, ADD COLUMN thumbnail_url text, ADD COLUMN words integer;

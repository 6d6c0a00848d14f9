-- What a manifest says of a delivered video besides its title.
ALTER TABLE job_rows ADD COLUMN channel_id text, ADD COLUMN channel_title text, ADD COLUMN duration integer;

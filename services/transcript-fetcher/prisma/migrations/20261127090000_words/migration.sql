-- Manifests say how long a transcript is.
ALTER TABLE transcripts ADD COLUMN words integer;

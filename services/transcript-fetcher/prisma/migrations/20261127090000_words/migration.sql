-- Manifests say how long a transcript is. Nobody reads cue_count: the next release drops it.
ALTER TABLE transcripts ADD COLUMN words integer, ALTER COLUMN cue_count SET DEFAULT 0;

-- Entries of a listing that could not be read.
ALTER TABLE listings ADD COLUMN IF NOT EXISTS omitted integer NOT NULL DEFAULT 0;

-- A search in a library leads to the caption with the words that it found.
ALTER TABLE passages ADD COLUMN captions integer[] NOT NULL DEFAULT '{}';

-- Operations of a batch hold no credit of their own: whoever sent the batch pays what they are charged. Not every batch has a key.
ALTER TABLE operations ALTER COLUMN key_id DROP NOT NULL;
ALTER TABLE operations DROP CONSTRAINT operations_settlement_check;
ALTER TABLE operations ADD CONSTRAINT operations_settlement_check
  CHECK (settlement IN ('pending', 'settled', 'released', 'uncollected', 'by_caller'));

-- Nobody waits for it yet: it is behind those that somebody waits for.
ALTER TABLE fetches ADD COLUMN is_background boolean NOT NULL DEFAULT false;

-- Which strategy brought the track; not known of those that were fetched before.
ALTER TABLE transcripts ADD COLUMN strategy text;

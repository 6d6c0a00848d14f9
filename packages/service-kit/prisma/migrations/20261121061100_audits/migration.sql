-- Up to where the rows of the outbox were found in the stream that has acknowledged them. What leaves within half a minute is
-- looked at in the order of its ids, what leaves later in the order in which it was published.
CREATE TABLE messaging.outbox_audits (
  stream text PRIMARY KEY,
  -- Which stream of that name: another one has none of it.
  stream_created text NOT NULL,
  audited_id uuid NOT NULL,
  audited_at timestamptz NOT NULL
);

-- The message that the position was moved to: where the stream has another one there, it has lost messages.
ALTER TABLE messaging.positions ADD COLUMN anchor_seq bigint, ADD COLUMN anchor_id uuid;

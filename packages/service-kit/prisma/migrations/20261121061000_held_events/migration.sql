-- Events that came and that no release so far can read: they are handled by the first one that can.
CREATE TABLE messaging.held_events (
  id uuid PRIMARY KEY DEFAULT messaging.id_at(clock_timestamp()),
  subject text NOT NULL,
  -- The outbox row's id.
  message_id uuid NOT NULL,
  stream_seq bigint,
  payload jsonb NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  reason text NOT NULL,
  UNIQUE (subject, message_id)
);

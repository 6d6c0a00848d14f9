-- The newest version of each aggregate that a listener has acted upon: older ones that come later change nothing.
CREATE TABLE messaging.aggregate_versions (
  consumer text NOT NULL,
  aggregate_key text NOT NULL,
  version bigint NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer, aggregate_key)
) WITH (fillfactor = 80);

CREATE INDEX aggregate_versions_age ON messaging.aggregate_versions USING brin (seen_at);

-- Of the key of a connected app: what it may do.
ALTER TABLE api_keys ADD COLUMN scope text;

CREATE TABLE connections (
  key_id uuid PRIMARY KEY REFERENCES api_keys (id) ON UPDATE CASCADE ON DELETE RESTRICT,
  grant_id text NOT NULL,
  host text NOT NULL
);
CREATE UNIQUE INDEX connections_grant_id_key ON connections (grant_id);

CREATE TABLE grant_records (
  kind text NOT NULL,
  keyed_digest bytea NOT NULL CONSTRAINT grant_records_digest_length CHECK (octet_length(keyed_digest) = 32),
  payload text NOT NULL,
  grant_id text,
  sealed_digest bytea,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (kind, keyed_digest)
);
CREATE INDEX grant_records_grant_id_idx ON grant_records (grant_id);
CREATE INDEX grant_records_expires_at_idx ON grant_records (expires_at);

ALTER TABLE sessions ADD COLUMN is_invited boolean NOT NULL DEFAULT false;

ALTER TABLE accounts ADD COLUMN mails_resumed_at timestamptz(3);

CREATE TABLE invitation_stops (
  email text PRIMARY KEY,
  stopped_at timestamptz(3) NOT NULL
);

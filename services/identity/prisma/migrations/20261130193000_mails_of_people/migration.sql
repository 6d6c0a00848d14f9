ALTER TABLE people
  ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC',
  ADD COLUMN digest_hour smallint NOT NULL DEFAULT 8 CONSTRAINT people_hour_of_a_day CHECK (digest_hour BETWEEN 0 AND 23),
  ADD COLUMN digest_day smallint NOT NULL DEFAULT 1 CONSTRAINT people_day_of_a_week CHECK (digest_day BETWEEN 1 AND 7),
  ADD COLUMN digest_more integer NOT NULL DEFAULT 0,
  ADD COLUMN digest_more_taken integer NOT NULL DEFAULT 0,
  ADD COLUMN weekly_more integer NOT NULL DEFAULT 0,
  ADD COLUMN weekly_more_taken integer NOT NULL DEFAULT 0,
  ADD COLUMN event_mails boolean NOT NULL DEFAULT true,
  ADD COLUMN mails_resumed_at timestamptz(3),
  ADD COLUMN mail_version bigint NOT NULL DEFAULT 0;
ALTER TABLE digest_items ADD COLUMN person_id uuid;

-- The account's clock was that of all its people; only its oldest owner has got mails.
UPDATE people AS p SET time_zone = a.time_zone, digest_hour = a.digest_hour, digest_day = a.digest_day
FROM accounts AS a WHERE a.id = p.account_id;
UPDATE people AS p SET digest_more = a.digest_more, digest_more_taken = a.digest_more_taken, weekly_more = a.weekly_more,
  weekly_more_taken = a.weekly_more_taken, event_mails = a.event_mails, mails_resumed_at = a.mails_resumed_at, mail_version = a.mail_version
FROM accounts AS a
WHERE p.account_id = a.id AND p.id = (
  SELECT o.id FROM people AS o WHERE o.account_id = a.id AND o.role = 'owner' AND o.removed_at IS NULL ORDER BY o.joined_at, o.id LIMIT 1);
UPDATE digest_items AS i SET person_id = (
  SELECT o.id FROM people AS o WHERE o.account_id = i.account_id AND o.role = 'owner' AND o.removed_at IS NULL
  ORDER BY o.joined_at, o.id LIMIT 1);

CREATE TABLE mails_of_work (
  person_id uuid NOT NULL,
  work_id text NOT NULL,
  account_id uuid NOT NULL,
  mail text,
  version bigint NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (work_id, person_id)
);
CREATE INDEX mails_of_work_changed_at_idx ON mails_of_work (changed_at);

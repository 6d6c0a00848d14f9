-- What accounts have received, and its words.

CREATE TABLE library_entries (
  account_id    uuid NOT NULL,
  transcript_id uuid NOT NULL,
  language_code text NOT NULL,
  received_at   timestamptz(3) NOT NULL DEFAULT now(),
  -- Received by a read, and not by jobs alone.
  is_read       boolean NOT NULL,
  -- When its words may be indexed next, while they are not.
  index_at      timestamptz(3) NOT NULL DEFAULT now(),
  dictionary    text,
  passage_count integer,
  -- Keys of the account's words (`library_keys`); null if they are not indexed yet.
  words         bigint[],
  PRIMARY KEY (account_id, transcript_id)
);
CREATE INDEX library_newest ON library_entries (account_id, received_at DESC, transcript_id);
CREATE INDEX library_unindexed ON library_entries (index_at) WHERE words IS NULL;
CREATE INDEX library_of_transcript ON library_entries (transcript_id);
CREATE INDEX library_words ON library_entries USING gin (words) WHERE words IS NOT NULL;

CREATE TABLE library_jobs (
  job_id        uuid NOT NULL,
  account_id    uuid NOT NULL,
  transcript_id uuid NOT NULL,
  PRIMARY KEY (job_id, transcript_id)
);
CREATE INDEX library_jobs_of_transcript ON library_jobs (account_id, transcript_id);

CREATE TABLE passages (
  transcript_id uuid NOT NULL REFERENCES transcripts,
  position      integer NOT NULL,
  start_ms      integer NOT NULL,
  end_ms        integer NOT NULL,
  text          text NOT NULL,
  words         tsvector NOT NULL,
  PRIMARY KEY (transcript_id, position)
);

CREATE TABLE library_removals (
  id         uuid PRIMARY KEY,
  removed_at timestamptz(3) NOT NULL DEFAULT now()
);

-- What the release before delivered and still knows of.
INSERT INTO library_jobs (job_id, account_id, transcript_id)
SELECT DISTINCT line_id, account_id, transcript_id FROM operations
WHERE state = 'delivered' AND lane = 1 AND transcript_id IS NOT NULL;
INSERT INTO library_entries (account_id, transcript_id, language_code, received_at, is_read)
SELECT o.account_id, o.transcript_id, t.language_code, min(o.ended_at), bool_or(o.lane = 0)
FROM operations AS o JOIN transcripts AS t ON t.id = o.transcript_id
WHERE o.state = 'delivered' GROUP BY o.account_id, o.transcript_id, t.language_code;

ALTER TABLE grant_records
  -- How often the answer to the use of a refresh token was repeated.
  ADD COLUMN repeats integer NOT NULL DEFAULT 0,
  -- Of an access token: what it may do, at most what its connection may.
  ADD COLUMN scope text;

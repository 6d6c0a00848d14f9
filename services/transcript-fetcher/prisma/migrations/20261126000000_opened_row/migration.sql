-- A row of a request in `open_rows`: the state of its operation, or whether the cache knows its track; what it knows is kept for a job.
CREATE TYPE opened_row AS (
  id uuid,
  position smallint,
  video_id char(11),
  price integer,
  state text,
  operation_id uuid,
  known known
);

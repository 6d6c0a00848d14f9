-- The result of a step of `apply_operations`: the reservation after it, the changes of the three buckets, and the parts of its entry; for
-- the answer, the parts that are held and charged, and why not all are held.
CREATE TYPE ledger_step AS (
  outcome text,
  reservation booked_reservation,
  free integer,
  purchased integer,
  reserved integer,
  parts smallint[],
  held smallint[],
  charged smallint[],
  lacked text
);

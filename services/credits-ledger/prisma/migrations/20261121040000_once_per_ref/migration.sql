-- concurrently
-- What follows no reservation happens once per ref. What follows one is decided by the reservation itself, which may be settled
-- in many calls.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS entries_once_per_ref
  ON entries (account_id, kind, ref) WHERE reserved_delta = 0;

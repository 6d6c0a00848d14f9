-- For whoever reserves, to find what is held for longer than its work can take. Few are open at any time. By `resolved_at`,
-- which says the same as `state`: no statement of an operation names it, so none is planned by this index.
CREATE INDEX reservations_open_idx ON reservations (reason, created_at, ref) WHERE resolved_at IS NULL;

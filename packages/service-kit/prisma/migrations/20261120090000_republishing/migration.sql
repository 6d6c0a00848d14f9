-- Since when an event waits that was published before: the lag of what a broker lost counts from when that was found out.
ALTER TABLE messaging.outbox ADD COLUMN waiting_since timestamptz;

-- The key that gave the URL of a job or a monitor.
ALTER TABLE deliveries ADD COLUMN key_id uuid;

ALTER TABLE refund_requests ADD COLUMN person_id uuid, ADD COLUMN key_id uuid;

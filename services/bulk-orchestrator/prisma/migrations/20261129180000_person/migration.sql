ALTER TABLE jobs ADD COLUMN person_id uuid;

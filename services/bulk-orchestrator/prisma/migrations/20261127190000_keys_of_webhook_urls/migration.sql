-- A webhook URL ends with the key that gave it.
ALTER TABLE jobs ADD COLUMN webhook_key_id uuid;

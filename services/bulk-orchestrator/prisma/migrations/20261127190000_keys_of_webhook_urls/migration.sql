-- A webhook URL ends with the key that gave it.
ALTER TABLE jobs ADD COLUMN webhook_key_id uuid;
UPDATE jobs SET webhook_key_id = key_id WHERE webhook_url IS NOT NULL AND key_id IS NOT NULL;

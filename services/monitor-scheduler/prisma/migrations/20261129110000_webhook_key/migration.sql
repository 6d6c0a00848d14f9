ALTER TABLE monitors ADD COLUMN webhook_key_id uuid;

ALTER TABLE api_keys ADD COLUMN session_id uuid;

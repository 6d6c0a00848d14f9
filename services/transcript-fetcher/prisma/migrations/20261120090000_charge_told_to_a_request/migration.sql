-- The caller's request whose answer tells the charge. Its answer may be lost between the instances and the gateway, which
-- then asks again for the same request: at most one of its answers gets through to the caller.
ALTER TABLE operations ADD COLUMN charge_reported_to text;

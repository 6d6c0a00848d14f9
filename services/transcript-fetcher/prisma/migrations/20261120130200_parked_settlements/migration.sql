-- A settlement that cannot be made is left to people: its task is a dead letter, and the sweeper asks for it no more.
ALTER TABLE operations ADD COLUMN parked_at timestamptz(3);

-- A batch saves its operations before their fetches, which it names already: rows are locked in that order, and written once.
ALTER TABLE operations ALTER CONSTRAINT operations_fetch_id_fkey DEFERRABLE INITIALLY IMMEDIATE;

-- Entries, reservations and seals are kept by month. What is there stays where it is, and lies before all months: no row is
-- rewritten.
ALTER TABLE accounts ADD COLUMN period date NOT NULL DEFAULT '-infinity';
ALTER TABLE reservations
  ADD COLUMN ref_month date NOT NULL DEFAULT '-infinity',
  ADD CONSTRAINT reservations_are_before CHECK (ref_month = '-infinity') NOT VALID;
ALTER TABLE entries
  ADD COLUMN period date NOT NULL DEFAULT '-infinity',
  ADD CONSTRAINT entries_are_before CHECK (period = '-infinity') NOT VALID;
ALTER TABLE entry_seals
  ADD COLUMN period date NOT NULL DEFAULT '-infinity',
  ADD CONSTRAINT entry_seals_are_before CHECK (period = '-infinity') NOT VALID;

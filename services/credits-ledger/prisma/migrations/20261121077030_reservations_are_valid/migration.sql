-- Reads what is there beside those who write.
ALTER TABLE reservations VALIDATE CONSTRAINT reservations_from_check;

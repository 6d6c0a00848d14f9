-- What an operation costs is said where it is opened, and is charged or not. The release before opens operations without saying
-- it: its price is the default.
ALTER TABLE operations ADD COLUMN price integer NOT NULL DEFAULT 1 CHECK (price >= 0);
ALTER TABLE operations DROP CONSTRAINT operations_charge_check;
ALTER TABLE operations ADD CONSTRAINT operations_charge_check CHECK (charge IN (0, price));

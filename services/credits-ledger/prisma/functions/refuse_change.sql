-- For triggers: refuses every change of rows that are only ever added.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

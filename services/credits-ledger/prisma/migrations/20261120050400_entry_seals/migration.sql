-- A chain of hashes over each account's entries, made in the background: in-line it would make the hot path wait. Who
-- changes, removes or slips in an entry that is sealed has to make all later seals anew, and these cannot be changed.

CREATE TABLE entry_seals (
  account_id uuid NOT NULL,
  version bigint NOT NULL,
  -- SHA-256 of the hash before (nothing for version 1) and the entry in its canonical form.
  hash bytea NOT NULL,
  sealed_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, version)
);

CREATE TRIGGER entry_seals_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE entry_seals ENABLE ALWAYS TRIGGER entry_seals_are_append_only;

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'credits_ledger_app') THEN
    REVOKE UPDATE, DELETE, TRUNCATE ON entry_seals FROM credits_ledger_app;
  END IF;
END
$$;

-- The same bytes for the same entry, whatever the settings of the session: JSON of all columns, times as microseconds.
CREATE FUNCTION canonical_entry(e entries) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT convert_to(jsonb_build_array(
    e.account_id, e.version, e.kind, e.ref, e.free_delta, e.purchased_delta, e.reserved_delta, e.free_after,
    e.purchased_after, e.reserved_after, e.reason, e.key_id, e.request_id,
    (extract(epoch FROM e.created_at) * 1000000)::bigint
  )::text, 'UTF8')
$$;

CREATE FUNCTION next_seal(p_before bytea, p_entry bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(p_before || p_entry)
$$;

-- Over entries in the order of their versions: the seal of the last one.
CREATE AGGREGATE seal_of (bytea) (SFUNC = next_seal, STYPE = bytea, INITCOND = '');

-- Seals up to `p_most` entries that are not sealed yet, account by account in their order; answers how many. Entries of
-- an account become visible in their order, so none is left out. One sealer at a time: others answer 0.
CREATE FUNCTION seal_entries(p_most integer, p_now timestamptz DEFAULT clock_timestamp())
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_account record;
  v_entry entries;
  v_hash bytea;
  v_sealed integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7221611, 0) THEN
    RETURN 0;
  END IF;
  FOR v_account IN
    SELECT a.account_id, coalesce(s.version, 0) AS version, coalesce(s.hash, '') AS hash
    FROM accounts AS a
    LEFT JOIN LATERAL (
      SELECT version, hash FROM entry_seals WHERE account_id = a.account_id ORDER BY version DESC LIMIT 1
    ) AS s ON true
    WHERE a.version > coalesce(s.version, 0)
    LIMIT p_most
  LOOP
    v_hash := v_account.hash;
    FOR v_entry IN
      SELECT * FROM entries WHERE account_id = v_account.account_id AND version > v_account.version
      ORDER BY version LIMIT p_most - v_sealed
    LOOP
      v_hash := next_seal(v_hash, canonical_entry(v_entry));
      INSERT INTO entry_seals VALUES (v_entry.account_id, v_entry.version, v_hash, p_now);
      v_sealed := v_sealed + 1;
    END LOOP;
    EXIT WHEN v_sealed >= p_most;
  END LOOP;
  RETURN v_sealed;
END
$$;

-- Whether this transaction, and not an earlier one, has reserved credits under the ref. The account is locked.
CREATE OR REPLACE FUNCTION reserved_just_now(p_account_id uuid, p_ref text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM entries AS e JOIN accounts AS a USING (account_id, version)
    WHERE a.account_id = p_account_id AND e.kind = 'reserve' AND e.ref = p_ref
      AND e.written_in = pg_current_xact_id()::text::bigint
  )
$$;

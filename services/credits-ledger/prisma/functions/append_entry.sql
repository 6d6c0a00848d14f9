-- Writes one entry; those of `apply_operations` are written together, elsewhere. The account that it answers is the given one
-- after this entry, yet to be saved.
CREATE OR REPLACE FUNCTION append_entry(
  p_account accounts, p_kind text, p_ref text, p_free integer, p_purchased integer, p_reserved integer,
  p_reason text, p_key_id uuid, p_request_id text, p_now timestamptz, p_subject jsonb DEFAULT NULL,
  p_parts smallint[] DEFAULT NULL, p_job_id uuid DEFAULT NULL
) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_is_line boolean := p_free + p_purchased + p_reserved <> 0;
BEGIN
  p_account.free := p_account.free + p_free;
  p_account.purchased := p_account.purchased + p_purchased;
  p_account.reserved := p_account.reserved + p_reserved;
  p_account.version := p_account.version + 1;
  p_account.lines := p_account.lines + v_is_line::integer;
  INSERT INTO entries (
    account_id, version, kind, ref, free_delta, purchased_delta, reserved_delta, free_after, purchased_after, reserved_after,
    reason, key_id, request_id, created_at, subject, line, parts, job_id, period
  ) VALUES (
    p_account.account_id, p_account.version, p_kind, p_ref, p_free, p_purchased, p_reserved,
    p_account.free, p_account.purchased, p_account.reserved, p_reason, p_key_id, p_request_id, p_now,
    p_subject, CASE WHEN v_is_line THEN p_account.lines END, p_parts, p_job_id, p_account.period
  );
  RETURN p_account;
END
$$;

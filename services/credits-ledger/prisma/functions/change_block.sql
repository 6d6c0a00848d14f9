-- Sets what stands of a block of a locked account: what is spent already becomes debt, what is given back pays debt first. The
-- entry is a `purchase_refund` or a `dispute`, or a grant where that has ended. The block is saved; what else changes of the
-- account that this answers is yet to be.
CREATE OR REPLACE FUNCTION change_block(
  p_account accounts, p_block blocks, p_standing integer, p_reason text, p_request_id text, p_now timestamptz
) RETURNS accounts LANGUAGE plpgsql AS $$
DECLARE
  v_change integer := p_standing - p_block.standing;
  v_kind text := CASE p_reason WHEN 'refund' THEN 'purchase_refund' ELSE p_reason END;
  v_ref text := format('%s:%s', p_block.ref, p_block.changes + 1);
BEGIN
  IF v_change = 0 THEN
    RETURN p_account;
  END IF;
  UPDATE blocks SET standing = p_standing, changes = changes + 1 WHERE ref = p_block.ref;
  IF v_change < 0 THEN
    p_account := take_on_debt(p_account, p_reason || ':' || v_ref, -v_change, p_request_id, p_now);
    RETURN append_entry(p_account, v_kind, v_ref, 0, v_change, 0, p_reason, NULL, p_request_id, p_now);
  END IF;
  p_account := append_entry(
    p_account, 'grant', v_ref, 0, v_change, 0, p_reason || '_ended', NULL, p_request_id, p_now
  );
  PERFORM tell_granted(p_account.account_id, 'purchased', v_change, v_ref);
  RETURN pay_debt(p_account, 'grant:' || v_ref, v_change, p_now);
END
$$;

-- Tells everybody that an account was given credits.
CREATE OR REPLACE FUNCTION tell_granted(p_account_id uuid, p_bucket text, p_amount integer, p_ref text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM messaging.emit(
    'evt.credits-ledger.credits-granted.v1',
    jsonb_build_object('accountId', p_account_id, 'bucket', p_bucket, 'amount', p_amount, 'ref', p_ref)
  );
END
$$;

-- The answer to one item of a call that is not about parts: its outcome, and the account's balance as it is after it.
CREATE OR REPLACE FUNCTION answer_of(p_item bigint, p_outcome text, p_account accounts, p_told boolean)
RETURNS ledger_answer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (
    p_item, p_outcome, p_account.account_id, p_account.free, p_account.purchased, p_account.reserved,
    p_account.version, p_account.free_month, coalesce(p_told, false), NULL, NULL, NULL, NULL
  )::ledger_answer;
END
$$;

-- What is left of a block. Purchased credits are spent in the order of purchase, and those that are no purchase before all of them:
-- so what an account has left, less what it owes, fills its newest block first. A block is untouched if all that stands of it is left.
CREATE OR REPLACE FUNCTION left_of_block(p_account accounts, p_block blocks) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT greatest(0, least(
    p_block.standing,
    p_account.purchased - p_account.debt - (
      SELECT coalesce(sum(b.standing), 0)::integer FROM blocks AS b
      WHERE b.account_id = p_block.account_id AND b.number > p_block.number
    )
  ))
$$;

import type { Harness } from '../harness.ts';
import type { Customer } from './customers.ts';

const CREDITS = 100_000;
const TRUST = `
  UPDATE accounts SET created_at = created_at - interval '30 days', tier = 'paid', tier_changed_at = now() WHERE id = $1`;
const PAY = `SELECT outcome FROM grant_credits($1, 'chaos', $2, 'gift', NULL)`;

/** A customer with many credits, in whose name no other call costs any. */
export const signUpRich = async ({
  customers,
  evidence,
}: Pick<Harness, 'customers' | 'evidence'>): Promise<Customer> => {
  const customer = await customers.signUp();
  if (!customer) throw new Error('a rich customer could not sign up');
  customer.spent = CREDITS;
  await evidence.rows('identity', TRUST, [customer.accountId]);
  await evidence.rows('credits-ledger', PAY, [customer.accountId, CREDITS]);
  return customer;
};

import type { Harness } from '../harness.ts';
import type { Customer } from './customers.ts';

const CREDITS = 100_000;
const TRUST = `
  UPDATE accounts SET created_at = created_at - interval '30 days', tier = 'paid', tier_changed_at = now() WHERE id = $1`;
const PAY = `SELECT outcome FROM grant_credits($1, 'chaos', $2, 'gift', NULL)`;

type Opening = Pick<Harness, 'customers' | 'evidence'>;

/** A paying customer whose account is not new, and in whose name no other call costs any credit. */
export const signUpTrusted = async ({ customers, evidence }: Opening): Promise<Customer> => {
  const customer = await customers.signUp();
  if (!customer) throw new Error('a trusted customer could not sign up');
  customer.spent = CREDITS;
  await evidence.rows('identity', TRUST, [customer.accountId]);
  return customer;
};

export const giveCredits = ({ evidence }: Pick<Opening, 'evidence'>, accountId: string) =>
  evidence.rows('credits-ledger', PAY, [accountId, CREDITS]);

/** A trusted customer with many credits. */
export const signUpRich = async (harness: Opening): Promise<Customer> => {
  const customer = await signUpTrusted(harness);
  await giveCredits(harness, customer.accountId);
  return customer;
};

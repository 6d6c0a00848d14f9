import { until } from '#support';
import type { Harness } from '../harness.ts';
import type { Customer } from './customers.ts';

const CREDITS = 100_000;
const TRUST = `
  UPDATE accounts SET created_at = created_at - interval '30 days', tier = 'paid', tier_changed_at = now() WHERE id = $1`;
const PAY = `SELECT outcome FROM grant_credits($1, 'chaos', $2, 'gift', NULL)`;

type Opening = Pick<Harness, 'customers' | 'evidence'>;

const WITHIN = { withinMs: 60_000, everyMs: 500 };

/** Repeats a statement until its database has taken it: the system may be hurt meanwhile. */
const insistOn = async (
  { evidence }: Pick<Opening, 'evidence'>,
  ...statement: Parameters<Opening['evidence']['rows']>
): Promise<void> => {
  let problem: unknown;
  const isDone = () =>
    evidence.rows(...statement).then(
      () => true,
      (error) => {
        problem = error;
        return false;
      },
    );
  if (!(await until(isDone, WITHIN))) throw problem;
};

/** A paying customer whose account is not new, and in whose name no other call costs any credit. */
export const signUpTrusted = async ({ customers, evidence }: Opening): Promise<Customer> => {
  const customer = await customers.signUp();
  if (!customer) throw new Error('a trusted customer could not sign up');
  customer.spent = CREDITS;
  await insistOn({ evidence }, 'identity', TRUST, [customer.accountId]);
  return customer;
};

/** Once, however often it is repeated. */
export const giveCredits = (harness: Pick<Opening, 'evidence'>, accountId: string) =>
  insistOn(harness, 'credits-ledger', PAY, [accountId, CREDITS]);

/** A trusted customer with many credits. */
export const signUpRich = async (harness: Opening): Promise<Customer> => {
  const customer = await signUpTrusted(harness);
  await giveCredits(harness, customer.accountId);
  return customer;
};

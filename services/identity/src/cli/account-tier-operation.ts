import { tier } from '@tds/contracts';
import { normalizeEmail } from '../domain/email-address.ts';
import { setAccountTier } from '../operations/set-account-tier.ts';
import { accountExists } from '../store/accounts.ts';
import type { Operation } from './operation.ts';

const USAGE = `Usage: set-tier <email> <${tier.options.join('|')}>`;

export const accountTierOperation: Operation = async (deps, [address = '', word = ''], requestId) => {
  const email = normalizeEmail(address);
  const wanted = tier.safeParse(word);
  if (email === null || !wanted.success) throw new Error(USAGE);
  const change = { email, tier: wanted.data, actor: 'operator', requestId } as const;
  if (await setAccountTier(deps, change)) return `The account of ${email} is ${word} now.`;
  if (await accountExists(deps.db, email)) return `The account of ${email} was ${word} already.`;
  throw new Error(`There is no account of ${email}.`);
};

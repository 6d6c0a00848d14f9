import { accountStatus } from '@tds/contracts';
import { normalizeEmail } from '../domain/email-address.ts';
import { setAccountStatus } from '../operations/set-account-status.ts';
import { accountExists } from '../store/accounts.ts';
import type { Operation } from './operation.ts';

const USAGE = `Usage: set-account-status <email> <${accountStatus.options.join('|')}>`;

export const accountStatusOperation: Operation = async (deps, [address = '', word = ''], requestId) => {
  const email = normalizeEmail(address);
  const status = accountStatus.safeParse(word);
  if (email === null || !status.success) throw new Error(USAGE);
  const change = { email, status: status.data, actor: 'operator', requestId } as const;
  if (await setAccountStatus(deps, change)) return `The account of ${email} is ${word} now.`;
  if (await accountExists(deps.db, email)) return `The account of ${email} was ${word} already.`;
  throw new Error(`There is no account of ${email}.`);
};

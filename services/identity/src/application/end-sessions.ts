import { identity } from '@tds/contracts';
import type { Transaction } from '../deps.ts';
import { deleteSessions } from '../store/sessions.ts';

/** Ends sessions of one account for good, also where the database is put back. Resolves to how many there were. */
export const endTheseSessions = async (
  { tx, send }: Pick<Transaction, 'tx' | 'send'>,
  ids: readonly string[],
): Promise<number> => {
  const ended = await deleteSessions(tx, ids);
  const [one] = ended;
  if (one === undefined) return 0;
  await send.emit(identity.sessionsEnded, {
    accountId: one.accountId,
    sessionIds: ended.map(({ id }) => id),
  });
  return ended.length;
};

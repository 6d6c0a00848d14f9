import type { getBalance as contract, ReplyOf, RequestOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { balanceReply } from '../domain/replies.ts';

export const getBalance =
  ({ ledger }: Pick<Deps, 'ledger'>) =>
  async ({ accountId }: RequestOf<typeof contract>): Promise<ReplyOf<typeof contract>> =>
    balanceReply(await ledger.balance(accountId));

import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { balanceReply } from '../domain/replies.ts';

export const getBalance = onCommand(
  creditsLedger.getBalance,
  async ({ ledger }: Pick<Deps, 'ledger'>, { accountId }) => {
    const answer = await ledger.balance(accountId);
    return { ...balanceReply(answer), debt: answer.debt };
  },
);

import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { balanceReply } from '../domain/replies.ts';

export const getBalance = onCommand(
  creditsLedger.getBalance,
  async ({ ledger, config }: Pick<Deps, 'ledger' | 'config'>, { accountId }) => {
    const answer = await ledger.balance(accountId);
    return { ...balanceReply(answer), debt: answer.debt, buyUrl: config.buyUrl };
  },
);

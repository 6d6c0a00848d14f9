import { identity } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { LedgerAnswer } from '../domain/ledger-answer.ts';
import { balanceReply } from '../domain/replies.ts';
import { openAccount } from '../store/ledger-statements.ts';

/** Opens the account with the free credits of its first month. If it was used before this event came, it stays as it is. */
export const accountCreated = onEvent(
  identity.accountCreated,
  async (
    { db, messaging, publishBalances }: Pick<Deps, 'db' | 'messaging' | 'publishBalances'>,
    { accountId, createdAt },
    context,
  ) => {
    const opened = await messaging.transaction(db, async (tx) => {
      const answers: LedgerAnswer[] = [];
      await context.once(tx, async () => {
        const answer = await openAccount(tx, accountId, new Date(createdAt));
        // Throws if the account stays locked; the event is then redelivered.
        balanceReply(answer);
        answers.push(answer);
      });
      return answers;
    });
    await publishBalances(opened);
  },
);

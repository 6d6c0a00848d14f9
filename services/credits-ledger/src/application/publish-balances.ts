import { creditsLedger } from '@tds/contracts';
import type { Kit } from '@tds/service-kit';
import { type LedgerAnswer, newestBalances } from '../domain/ledger-answer.ts';
import type { Surface } from '../surface.ts';

/** Makes committed balances known outside the database; never rejects. */
export type PublishBalances = (answers: readonly LedgerAnswer[]) => Promise<void>;

/**
 * Updates the projection of balances and wakes the outbox's relay. Projections swallow their failures and the outbox is swept
 * anyway, so nothing that was committed is reported as failed.
 */
export const createPublishBalances =
  ({ projections, messaging }: Pick<Kit<Surface>, 'projections' | 'messaging'>): PublishBalances =>
  async (answers) => {
    if (answers.some(({ hasEvents }) => hasEvents)) messaging.wake();
    await Promise.all(
      newestBalances(answers).map((balance) =>
        projections.writeIfNewer(creditsLedger.balance, [balance.accountId], balance, balance.version),
      ),
    );
  };

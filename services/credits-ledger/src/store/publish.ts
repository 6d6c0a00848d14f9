import { creditsLedger } from '@tds/contracts';
import type { Kit } from '@tds/service-kit';
import { newestBalances } from '../domain/ledger-answer.ts';
import type { Surface } from '../surface.ts';
import type { Publish } from './ledger.ts';

/**
 * Keeps the balances' projection up and hurries what waits in the outbox. Projections swallow failures themselves, and
 * the outbox is swept anyway, so what was committed never fails afterwards.
 */
export const createPublish =
  ({ projections, messaging }: Pick<Kit<Surface>, 'projections' | 'messaging'>): Publish =>
  async (answers) => {
    if (answers.some(({ told }) => told)) messaging.wake();
    await Promise.all(
      newestBalances(answers).map((balance) =>
        projections.writeIfNewer(creditsLedger.balance, [balance.accountId], balance, balance.version),
      ),
    );
  };

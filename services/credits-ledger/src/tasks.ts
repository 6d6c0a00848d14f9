import { FIRST_ID } from '@tds/base';
import { creditsLedger } from '@tds/contracts';
import { onTask } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import type { Deps } from './deps.ts';
import { grantOutageBatch } from './store/blocks.ts';

/** Accounts per statement; it locks them for about ten milliseconds. */
const BATCH = 500;

/** Commits each batch on its own. A repeat only reads the accounts that an earlier attempt granted. */
export const grantOutageCredits = onTask(
  creditsLedger.grantOutageCredits,
  async ({ db, messaging, publishBalances }: Deps, { day }, task) => {
    const outcomes: Record<string, number> = {};
    for (let after: string | null = FIRST_ID; after !== null; ) {
      task.signal.throwIfAborted();
      const { answers, lastAccount } = await grantOutageBatch(db, day, after, BATCH);
      crashPoint('outage-batch-granted');
      await publishBalances(answers);
      for (const { outcome } of answers) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      after = answers.length < BATCH ? null : lastAccount;
    }
    task.record.add({ day, ...outcomes });
    // The next attempt grants the locked accounts.
    if (outcomes.busy) throw new Error(`${outcomes.busy} accounts stayed locked`);
    await messaging.transaction(db, (tx) => task.complete(tx));
  },
);

import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { assertFits, MOST_USAGE_ROWS, sumDay } from '../domain/usage.ts';
import { readUsage } from '../store/usage.ts';

export const getDayUsage = onCommand(
  creditsLedger.getDayUsage,
  async ({ db }: Pick<Deps, 'db'>, { accountId, day }) => {
    const rows = await readUsage(db, { accountId, keyId: null, from: day, to: day }, MOST_USAGE_ROWS + 1);
    assertFits(rows);
    return sumDay(rows);
  },
);

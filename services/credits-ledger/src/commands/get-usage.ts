import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { assertFits, MOST_USAGE_ROWS } from '../domain/usage.ts';
import { isKnownKey, readUsage } from '../store/usage.ts';

export const getUsage = onCommand(creditsLedger.getUsage, async ({ db }: Pick<Deps, 'db'>, request) => {
  const { accountId, keyId } = request;
  const rows = await readUsage(db, request, MOST_USAGE_ROWS + 1);
  assertFits(rows);
  return {
    rows,
    isKnownKey: keyId === null || rows.length > 0 || (await isKnownKey(db, accountId, keyId)),
  };
});

import { creditsLedger } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { wakeForCredits } from '../store/clocks.ts';

/** The oldest job that waits has what it can get; if something is left, it wakes the next one. */
export const creditsGranted = onEvent(creditsLedger.creditsGranted, async ({ db }: Deps, { accountId }) =>
  wakeForCredits(db, accountId),
);

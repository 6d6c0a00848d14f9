import { creditsLedger } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { readEpoch } from '../store/epoch.ts';
import { readJob } from '../store/reservations.ts';

export const lookUpJob = onCommand(creditsLedger.lookUpJob, async ({ sql }: Pick<Deps, 'sql'>, request) => ({
  ledgerEpoch: await readEpoch(sql),
  ...(await readJob(sql, request)),
}));

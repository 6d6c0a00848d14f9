import { bulkOrchestrator } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const jobProgressed = onBroadcast(
  bulkOrchestrator.jobProgressed,
  async ({ jobStreams }: Pick<Deps, 'jobStreams'>, hint) => jobStreams.hint(hint),
);

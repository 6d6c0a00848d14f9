import { transcriptFetcher } from '@tds/contracts';
import { onBroadcast } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { LANES } from '../domain/operation.ts';

/** This instance may have a place for what another one has none for. */
export const rowsReady = onBroadcast(transcriptFetcher.rowsReady, async ({ worker }: Deps, { lane }) =>
  worker.wake(lane === LANES.reads ? LANES.reads : LANES.jobs),
);

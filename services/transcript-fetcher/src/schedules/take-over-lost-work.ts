import { randomUUID } from 'node:crypto';
import { each, onSchedule } from '@tds/service-kit';
import { tellSoon } from '../application/tell-ledger.ts';
import type { Deps } from '../deps.ts';
import { abandonedError } from '../domain/operation.ts';
import { takeDues } from '../store/dues.ts';
import { LONGEST_OPENING_SECONDS } from '../store/lost-work.ts';
import { abandonedReads, failRead } from '../store/operations.ts';
import { waitingLanes } from '../store/rows.ts';

const DUES_AT_ONCE = 50;

/**
 * What a process that died had in hand, and what a hint that was lost would have told: fetches, reads that never began, rows whose turn
 * it is, and what the ledger has not been told. On every instance, so that none has to be the last one.
 */
export const takeOverLostWork = onSchedule(async (deps: Deps) => {
  const steps = [
    () => deps.worker.adopt(),
    () => wakeLanes(deps),
    () => endAbandonedReads(deps),
    () => tellDues(deps),
  ];
  await each<() => Promise<void>>((step) => step())(steps);
});

const wakeLanes = async ({ sql, worker }: Deps): Promise<void> => {
  for (const lane of await waitingLanes(sql)) worker.wake(lane);
};

/** Their process died between opening and beginning them: the ledger may hold their credit. */
const endAbandonedReads = async ({ sql }: Deps): Promise<void> => {
  const counted = { scopes: [], day: '1970-01-01' };
  for (const { id } of await abandonedReads(sql, LONGEST_OPENING_SECONDS)) {
    await failRead(sql, id, { error: abandonedError, counted, dueId: randomUUID() });
  }
};

const tellDues = async (deps: Deps): Promise<void> => {
  for (const due of await takeDues(deps.sql, DUES_AT_ONCE)) await tellSoon(deps, due);
};

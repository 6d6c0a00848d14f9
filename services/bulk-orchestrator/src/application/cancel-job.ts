import { hasEnded } from '../domain/job-state.ts';
import { cancelRows } from '../store/rows.ts';
import type { Change, Saved } from '../store/save-job.ts';
import { type Locked, save } from './change-job.ts';
import { asResumed, haltLater } from './pause-job.ts';

/** Nothing is begun any more; what is at the fetcher ends there, and its news say how. */
export const cancelLocked = async (locked: Locked, change: Change = {}): Promise<Saved | null> => {
  if (hasEnded(locked.job.status)) return null;
  await cancelRows(locked.tx, locked.job.id);
  await haltLater(locked.send, locked.job.id);
  return save(locked, { ...asResumed, ...change, status: 'cancelled' });
};

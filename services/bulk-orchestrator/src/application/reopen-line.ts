import { randomUUID } from 'node:crypto';
import type { Saved } from '../store/save-job.ts';
import { type Locked, save } from './change-job.ts';

/** The fetcher has lost rows of the line: all that have not ended are opened again, and news read from the beginning. */
export const forgetLine = async (locked: Locked): Promise<Saved | null> => {
  const { job, now } = locked;
  const isOpen = job.heardAt !== null && job.openingId === null && job.status !== 'creating';
  if (!isOpen) return null;
  const opening = { openingId: randomUUID(), isForgotten: true, dueAt: now };
  return save(locked, { ...opening, lineVersion: 0, linePosition: -1 });
};

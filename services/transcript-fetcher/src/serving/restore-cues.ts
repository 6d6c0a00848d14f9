import type { Cue } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { findRenderedKeys, moveCues } from '../store/transcripts.ts';
import { packCues } from './rendered-files.ts';

/**
 * Stores the cues of a transcript that had been lost. Where the platform's track has changed since, its files go: all formats
 * come from the same cues. Objects go before their rows, so that a repeat after a crash finds what is left to do.
 */
export async function restoreCues(
  { db, kit: { objects } }: Pick<Deps, 'db' | 'kit'>,
  transcriptId: string,
  cues: readonly Cue[],
): Promise<void> {
  const { key, data } = await packCues(cues);
  await objects.put(key, data);
  for (const stale of await findRenderedKeys(db, transcriptId, { unlessCuesKey: key })) {
    await objects.delete(stale);
  }
  await moveCues(db, transcriptId, key);
}

import { randomUUID } from 'node:crypto';
import { type Cue, transcriptFetcher } from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { REFUSAL_MEMORY_MS } from '../domain/selection.ts';
import { type DeliveredRows, deliverFetch } from '../store/deliver-fetch.ts';
import { renderedFileRow, selectionRow, transcriptRow } from '../store/transcripts.ts';
import { fetchedVideoRow } from '../store/videos.ts';
import { answerWaiting, type StoredTrack, tellThatItEnded, type WantedFetch } from './answer-waiting.ts';
import { type ObtainedTrack, trackIdentity } from './obtain-track.ts';
import { languagesOf, publicTracks } from './platform-tracks.ts';
import { packCues, render } from './rendered-files.ts';
import { restoreCues } from './restore-cues.ts';

/** Of the operations that a fetch ends, so many are settled by this process at once. */
const SETTLED_HERE = 4;

/** Hundreds of times what the statement takes. A caller whose wait ends sooner may have left when it has ended. */
const SURELY_WAITING_MS = 1_000;

/**
 * Stores cues and file, then in one statement: the track, what the language leads to, and every operation's end. Who waits
 * for it is answered at once: what it owes is settled by a task of that statement.
 */
export async function saveDelivery(
  deps: Deps,
  fetch: WantedFetch,
  obtained: ObtainedTrack,
  task: TaskContext,
): Promise<void> {
  const { kit, sql, clock } = deps;
  const now = clock();
  const stored = await storeObtained(deps, fetch, obtained, now);
  crashPoint('cues-stored');
  const rows = rowsOf(fetch, obtained, stored, now);
  const told = openerToTell(deps, fetch);
  const ended = await kit.messaging.statement(
    { enqueues: transcriptFetcher.settleOperation, most: SETTLED_HERE },
    async (sending) => {
      const result = await task.completeBy((lease) =>
        deliverFetch(sql, { lease, fetchId: fetch.id, rows, told, sending }),
      );
      const { eventId: id, held, left } = result;
      const payload = JSON.stringify(trackIdentity(obtained.inspection, obtained.choice));
      return {
        result,
        ...{ held, left },
        events: id === null ? [] : [{ id, subject: transcriptFetcher.transcriptFetched.subject, payload }],
      };
    },
  );
  crashPoint('fetch-delivered');
  if (stored) await answerWaiting(deps, fetch, obtained, { stored, ended, told });
  else tellThatItEnded(deps, ended.operations);
}

/** What is new, or what had been lost of a cached transcript; null where nothing new is to be saved. */
async function storeObtained(
  deps: Deps,
  fetch: WantedFetch,
  { cues, cachedId, ...obtained }: ObtainedTrack,
  now: Date,
): Promise<StoredTrack | null> {
  if (cues === null) return null;
  if (cachedId === null) return await storeTrack(deps, fetch, { ...obtained, cachedId, cues }, now);
  await restoreCues(deps, cachedId, cues);
  return null;
}

/** The charge is told to the request that opened the operation, where that is still waiting when the statement ends. */
const openerToTell = ({ waiters }: Deps, { begunBy }: WantedFetch): string | null =>
  begunBy !== null && waiters.willOpenerWait(begunBy, SURELY_WAITING_MS) ? begunBy : null;

async function storeTrack(
  { kit: { objects } }: Deps,
  { format }: WantedFetch,
  { inspection, choice, cues, video }: ObtainedTrack & { readonly cues: readonly Cue[] },
  cachedAt: Date,
): Promise<StoredTrack> {
  const transcript = { id: randomUUID(), ...trackIdentity(inspection, choice), cachedAt };
  const [packedCues, rendered] = await Promise.all([
    packCues(cues),
    format && render({ transcript, video, format }, cues),
  ]);
  await objects.putAll(rendered ? [packedCues, rendered.packed] : [packedCues]);
  return { transcript: { ...transcript, cuesKey: packedCues.key }, rendered };
}

function rowsOf(
  fetch: WantedFetch,
  { inspection, choice, video, cues, cachedId }: ObtainedTrack,
  stored: StoredTrack | null,
  now: Date,
): DeliveredRows {
  const track = trackIdentity(inspection, choice);
  const { isFallback, translation } = choice;
  const expiresAt = translation === 'refused' ? new Date(now.getTime() + REFUSAL_MEMORY_MS) : null;
  const selection = { isFallback, translation, available: languagesOf(inspection.tracks), expiresAt };
  const { transcript, rendered } = stored ?? { transcript: null, rendered: null };
  return {
    video: fetchedVideoRow(inspection.video, {
      ...{ tracks: publicTracks(inspection.tracks), selected: track, now },
    }),
    selection: selectionRow({ ...fetch, transcriptId: null }, selection),
    transcript: transcript && transcriptRow({ ...transcript, ...track, video, cueCount: cues?.length ?? 0 }),
    file:
      transcript && rendered && fetch.format
        ? renderedFileRow({ transcriptId: transcript.id, format: fetch.format }, rendered.file)
        : null,
    cachedId,
  };
}

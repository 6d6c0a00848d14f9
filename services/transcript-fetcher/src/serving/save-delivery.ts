import { randomUUID } from 'node:crypto';
import {
  type Cue,
  operationEnded,
  settleOperation,
  type TranscriptFormat,
  transcriptFetched,
} from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { REFUSAL_MEMORY_MS } from '../domain/selection.ts';
import type { CachedTranscript } from '../domain/transcript.ts';
import { type DeliveredRows, deliverFetch, type EndedOperations } from '../store/deliver-fetch.ts';
import type { Fetch } from '../store/fetches.ts';
import { renderedFileRow, selectionRow, transcriptRow } from '../store/transcripts.ts';
import { fetchedVideoRow } from '../store/videos.ts';
import { headOf, project } from './deliver.ts';
import { type ObtainedTrack, trackIdentity } from './obtain-track.ts';
import { languagesOf, publicTracks } from './platform-tracks.ts';
import { packCues, type RenderedBody, render } from './rendered-files.ts';
import type { Delivered } from './waiters.ts';

/** Of the operations that a fetch ends, so many are settled by this process at once. */
const SETTLED_HERE = 4;

/** Hundreds of times what the statement takes. A caller whose wait ends sooner may have left when it has ended. */
const SURELY_WAITING_MS = 1_000;

/** A fetch, the operation that began it, and the format that it waits for; null where nobody remembers. */
export type WantedFetch = Fetch & {
  readonly begunBy: string | null;
  readonly format: TranscriptFormat | null;
};

/** A track whose objects are stored, and whose rows are not yet. */
type StoredTrack = { readonly transcript: CachedTranscript; readonly rendered: RenderedBody | null };

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
  const stored = obtained.cues && (await storeTrack(deps, fetch, { ...obtained, cues: obtained.cues }, now));
  crashPoint('cues-stored');
  const rows = rowsOf(fetch, obtained, stored, now);
  const told = openerToTell(deps, fetch);
  const ended = await kit.messaging.statement(
    { enqueues: settleOperation, most: SETTLED_HERE },
    async (sending) => {
      const result = await task.completeBy((lease) =>
        deliverFetch(sql, { lease, fetchId: fetch.id, rows, told, sending }),
      );
      const { eventId: id, held, left } = result;
      const payload = JSON.stringify(trackIdentity(obtained.inspection, obtained.choice));
      return {
        result,
        ...{ held, left },
        events: id === null ? [] : [{ id, subject: transcriptFetched.subject, payload }],
      };
    },
  );
  crashPoint('fetch-delivered');
  if (stored) await answerWaiting(deps, fetch, obtained, { stored, ended, told });
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
  { inspection, choice, cues, cachedId }: ObtainedTrack,
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
    transcript: transcript && transcriptRow({ ...transcript, ...track, cueCount: cues?.length ?? 0 }),
    file:
      transcript && rendered && fetch.format
        ? renderedFileRow({ transcriptId: transcript.id, format: fetch.format }, rendered.file)
        : null,
    cachedId,
  };
}

type Saved = {
  readonly stored: StoredTrack;
  readonly ended: EndedOperations;
  readonly told: string | null;
};

/** Callers of this process hear it from memory, those of others by a hint; the file lies ready for the gateway. */
async function answerWaiting(
  deps: Deps,
  fetch: WantedFetch,
  { choice, video }: ObtainedTrack,
  { stored: { transcript, rendered }, ended: { isFirst, operations }, told }: Saved,
): Promise<void> {
  const { kit, waiters } = deps;
  let delivered: Delivered | null = null;
  if (isFirst && fetch.format && rendered) {
    const wanted = { ...fetch, format: fetch.format };
    const head = headOf(wanted, { transcript, ...choice }, { video, file: rendered.file });
    delivered = { head, projected: project(deps, wanted, head, rendered.body) };
  }
  const { videoId, language, fallback } = fetch;
  const { isFallback, translation } = choice;
  const selected = { videoId, language, fallback, isFallback, translation } as const;
  for (const ended of operations) {
    const operation = {
      ...ended,
      ...selected,
      state: 'delivered',
      settlement: 'pending',
      error: null,
    } as const;
    waiters.wake(ended.id, { operation, delivered, isToldToOpener: ended.id === told });
    kit.messaging.hint(operationEnded, { operationId: ended.id, state: operation.state });
  }
  await delivered?.projected;
}

import {
  type AnsweredTranscript,
  type Cue,
  LARGEST_TEXT_IN_ANSWER,
  type TranscriptFormat,
  transcriptFetcher,
} from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { deliverTrack, type EndedFetch, type Fetch } from '../store/fetches.ts';
import { describe, project } from './deliver.ts';
import type { ObtainedTrack } from './obtain-track.ts';
import type { OperationOutcome } from './operation-waiters.ts';
import { deliveryOf, type PackedTrack, packTrack } from './pack-track.ts';
import { restoreCues } from './transcript-files.ts';

/** A fetch, the operation that began it, and the format that it waits for; null if nobody remembers. */
export type BegunFetch = Fetch & {
  readonly begunBy: string | null;
  readonly format: TranscriptFormat | null;
};

/** A track whose objects are stored, and whose rows are not yet. */
type StoredTrack = Omit<PackedTrack, 'objects'>;

type Needed = Pick<Deps, 'db' | 'sql' | 'objects' | 'bodies' | 'messaging' | 'waiters' | 'now'>;

/** Of the operations that a fetch ends, so many are settled by this process at once. */
const SETTLED_HERE = 4;

/** Hundreds of times what the statement takes. A caller whose wait ends sooner may have left when it has ended. */
const SURELY_WAITING_MS = 1_000;

/**
 * Stores cues and file, then in one statement: the track, what the language leads to, and every operation's end. Who waits
 * for it is answered at once: what it owes is settled by a task of that statement.
 */
export async function saveDelivery(
  deps: Needed,
  fetch: BegunFetch,
  obtained: ObtainedTrack,
  task: TaskContext,
): Promise<void> {
  const now = deps.now();
  const stored = await storeObtained(deps, fetch, obtained, now);
  crashPoint('cues-stored');
  const reportedTo = waitingOpener(deps, fetch);
  const delivery = { ...deliveryOf(fetch, obtained, stored, now), reportedTo };
  const ended = await deps.messaging.statement(
    { enqueues: transcriptFetcher.settleOperation, most: SETTLED_HERE },
    (sending) => task.completeBy((lease) => deliverTrack(deps.sql, delivery, lease, sending)),
  );
  crashPoint('fetch-delivered');
  if (stored) await answerWaiting(deps, { fetch, obtained, stored, ended, reportedTo });
  else wakeWaiting(deps, ended);
}

/** What is new, or what had been lost of a cached transcript; null if nothing new is to be saved. */
async function storeObtained(
  deps: Needed,
  fetch: BegunFetch,
  { cues, cachedId, ...obtained }: ObtainedTrack,
  now: Date,
): Promise<StoredTrack | null> {
  if (cues === null) return null;
  if (cachedId === null) return await storeTrack(deps, fetch, obtained, cues, now);
  await restoreCues(deps, cachedId, cues);
  return null;
}

/** The charge is reported to the request that opened the operation, if that will still wait when the statement has ended. */
const waitingOpener = ({ waiters }: Needed, { begunBy }: BegunFetch): string | null =>
  begunBy !== null && waiters.willOpenerWait(begunBy, SURELY_WAITING_MS) ? begunBy : null;

async function storeTrack(
  { objects }: Needed,
  { format }: BegunFetch,
  obtained: Omit<ObtainedTrack, 'cues' | 'cachedId'>,
  cues: readonly Cue[],
  cachedAt: Date,
): Promise<StoredTrack> {
  const packed = await packTrack(obtained, { format, cues, cachedAt });
  await objects.putAll(packed.objects);
  return packed;
}

type Saved = {
  readonly fetch: BegunFetch;
  readonly obtained: ObtainedTrack;
  readonly stored: StoredTrack;
  readonly ended: EndedFetch;
  readonly reportedTo: string | null;
};

/**
 * Callers of this process are answered from memory, those of others look after a hint. The file is on its way to the gateway's
 * projection before they are; a gateway that comes before it reads the object store.
 */
async function answerWaiting(deps: Needed, saved: Saved): Promise<void> {
  const { fetch, ended, reportedTo } = saved;
  const file = ended.isFirst ? fileOf(saved) : null;
  const projected = file && project(deps, fetch, file.delivered, file.body);
  const { videoId, language, fallback } = fetch;
  const { isFallback, translation } = saved.obtained.choice;
  const shared = {
    videoId,
    language,
    fallback,
    isFallback,
    translation,
    state: 'delivered',
    settlement: 'pending',
    error: null,
  } as const;
  const delivered = file && withText(file.delivered, file.body);
  wakeWaiting(deps, ended, (operation) => ({
    operation: { ...operation, ...shared },
    delivered,
    isReportedToOpener: operation.id === reportedTo,
  }));
  await projected;
}

/** Without an outcome they look for themselves what they get, because nobody has rendered it. */
function wakeWaiting(
  { messaging, waiters }: Pick<Needed, 'messaging' | 'waiters'>,
  { operations }: EndedFetch,
  outcomeOf: (operation: EndedFetch['operations'][number]) => OperationOutcome | null = () => null,
): void {
  for (const operation of operations) {
    waiters.wake(operation.id, outcomeOf(operation));
    messaging.hint(transcriptFetcher.operationEnded, { operationId: operation.id, state: 'delivered' });
  }
}

/** The file that whoever began the fetch waits for. */
function fileOf({ fetch, obtained, stored: { transcript, rendered } }: Saved) {
  if (!fetch.format || !rendered) return null;
  const wanted = { ...fetch, format: fetch.format };
  return { delivered: describe(wanted, transcript, obtained.choice, rendered.file), body: rendered.body };
}

const withText = (delivered: AnsweredTranscript, body: Buffer): AnsweredTranscript =>
  body.length > LARGEST_TEXT_IN_ANSWER ? delivered : { ...delivered, text: body.toString() };

import {
  type AnsweredTranscript,
  type DeliveredTranscript,
  LARGEST_TEXT_IN_ANSWER,
  type TranscriptFormat,
  transcriptFetcher,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { CachedTranscript } from '../domain/transcript.ts';
import type { EndedOperations } from '../store/deliver-fetch.ts';
import type { Fetch } from '../store/fetches.ts';
import { headOf, project } from './deliver.ts';
import type { ObtainedTrack } from './obtain-track.ts';
import type { RenderedBody } from './rendered-files.ts';

/** A fetch, the operation that began it, and the format that it waits for; null where nobody remembers. */
export type WantedFetch = Fetch & {
  readonly begunBy: string | null;
  readonly format: TranscriptFormat | null;
};

/** A track whose objects are stored, and whose rows are not yet. */
export type StoredTrack = { readonly transcript: CachedTranscript; readonly rendered: RenderedBody | null };

type Saved = {
  readonly stored: StoredTrack;
  readonly ended: EndedOperations;
  readonly told: string | null;
};

/**
 * Callers of this process hear it from memory, those of others by a hint. The file is on its way to the gateway's projection
 * before they do; a gateway that comes before it reads the object store.
 */
export async function answerWaiting(
  deps: Deps,
  fetch: WantedFetch,
  obtained: ObtainedTrack,
  { stored, ended, told }: Saved,
): Promise<void> {
  const { kit, waiters } = deps;
  const file = ended.isFirst ? fileFor(fetch, obtained, stored) : null;
  const delivered = file && withText(file.head, file.body);
  const projected = file && project(deps, file.wanted, file.head, file.body);
  const { videoId, language, fallback } = fetch;
  const { isFallback, translation } = obtained.choice;
  const selected = { videoId, language, fallback, isFallback, translation } as const;
  const how = { state: 'delivered', settlement: 'pending', error: null } as const;
  for (const operation of ended.operations) {
    const { id } = operation;
    const isToldToOpener = id === told;
    waiters.wake(id, { operation: { ...operation, ...selected, ...how }, delivered, isToldToOpener });
    kit.messaging.hint(transcriptFetcher.operationEnded, { operationId: id, state: how.state });
  }
  await projected;
}

/** They look for themselves what they get: nobody has rendered it. */
export function tellThatItEnded(
  { kit, waiters }: Pick<Deps, 'kit' | 'waiters'>,
  operations: EndedOperations['operations'],
): void {
  for (const { id } of operations) {
    waiters.wake(id);
    kit.messaging.hint(transcriptFetcher.operationEnded, { operationId: id, state: 'delivered' });
  }
}

const withText = (head: DeliveredTranscript, body: Buffer): AnsweredTranscript =>
  body.length > LARGEST_TEXT_IN_ANSWER ? head : { ...head, text: body.toString() };

/** The file that whoever began the fetch waits for. */
function fileFor(
  { format, ...fetch }: WantedFetch,
  { choice, video }: ObtainedTrack,
  { transcript, rendered }: StoredTrack,
) {
  if (!format || !rendered) return null;
  const wanted = { ...fetch, format };
  const head = headOf(wanted, { transcript, ...choice }, { video, file: rendered.file });
  return { wanted, head, body: rendered.body };
}

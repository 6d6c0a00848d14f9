import { randomUUID } from 'node:crypto';
import { createSemaphore } from '@tds/base';
import type { ReplyOf, StoredFormat, transcriptFetcher, WantedTranscript } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { Hit, KeptFile } from '../domain/transcript.ts';
import { restoreTranscript } from '../reads/read-transcript.ts';
import { isLost } from '../reads/serve-cached.ts';
import { findRestoreWaits } from '../reads/store/operations.ts';
import { findTranscripts, lookUpCache } from '../tracks/store/cache.ts';
import { renderAndStore } from '../tracks/track-files.ts';

type RenderedRow = ReplyOf<typeof transcriptFetcher.renderTranscripts>['rows'][number];

/** Concurrent renderings of one call. */
const MAX_CONCURRENT_RENDERS = 8;

/** Renders items in turn; the results have their order. Rejects with the first failure. */
export const renderInTurn = <Item, Result>(
  items: readonly Item[],
  render: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const renders = createSemaphore(MAX_CONCURRENT_RENDERS);
  return Promise.all(items.map((item) => renders.runInTurn(() => render(item))));
};

/** Lost transcripts are fetched again for `accountId`, if there is one. */
type RenderRequest = { readonly format: StoredFormat; readonly accountId: string | null };

/** Returns the files of transcripts in one format. Renders missing and lost files. */
export async function renderAll(
  deps: Deps,
  transcripts: readonly WantedTranscript[],
  { format, accountId }: RenderRequest,
): Promise<RenderedRow[]> {
  const transcriptsById = new Map(transcripts.map((each) => [each.transcriptId, each]));
  const hits = await findTranscripts(deps.sql, [...transcriptsById.keys()], format);
  const existing = await deps.objects.findExisting(hits.flatMap(({ file }) => file?.objectKey ?? []));
  const hitsById = new Map(hits.map((each) => [each.transcript.id, each]));
  return await renderInTurn([...transcriptsById.values()], async (each): Promise<RenderedRow> => {
    const { transcriptId } = each;
    const hit = hitsById.get(transcriptId) ?? (await findReplacement(deps, each, format));
    const file = hit && (await findFile(deps, hit, existing, format));
    if (file) return { transcriptId, state: 'rendered', ...file };
    if (accountId !== null) await restore(deps, each, { format, accountId });
    return { transcriptId, state: 'failed', code: 'cache_object_missing' };
  });
}

/** A restored database may lack the id: the transcript of the same language takes its place. */
const findReplacement = async (
  { sql, now }: Deps,
  request: WantedTranscript,
  format: StoredFormat,
): Promise<Omit<Hit, 'choice'> | null> => {
  const cacheAnswer = await lookUpCache(sql, { ...request, format }, now());
  return cacheAnswer.kind === 'hit' ? cacheAnswer.hit : null;
};

/** Renders the file unless it exists. Null if the cues are lost, and the file with them. */
export async function findFile(
  deps: Deps,
  { transcript, file }: Omit<Hit, 'choice'>,
  existing: ReadonlySet<string>,
  format: StoredFormat,
): Promise<KeptFile | null> {
  if (file && existing.has(file.objectKey)) return file;
  try {
    return (await renderAndStore(deps, { transcript, format, file })).file;
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  }
}

/** Starts to fetch a lost transcript again, unless that failed in the last minute. A later call finds it. */
const restore = async (
  deps: Deps,
  { videoId, language, fallback, transcriptId }: WantedTranscript,
  { format, accountId }: { readonly format: StoredFormat; readonly accountId: string },
): Promise<void> => {
  const waits = await findRestoreWaits(deps.sql, [transcriptId]);
  if (waits.has(transcriptId)) return;
  const requestId = randomUUID();
  await restoreTranscript(deps, { accountId, keyId: null, language, fallback, format, videoId, requestId });
};

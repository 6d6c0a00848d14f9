import { randomUUID } from 'node:crypto';
import type { ReplyOf, StoredFormat, transcriptFetcher, WantedTranscript } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { Hit, KeptFile } from '../domain/transcript.ts';
import { findTranscripts, look } from '../store/cache.ts';
import { mayRestore } from '../store/operations.ts';
import { restoreTranscript } from './read-transcript.ts';
import { isLost } from './serve-cached.ts';
import { renderAndKeep } from './track-files.ts';

/** Maps items with at most `atOnce` at a time. Rejects with the first failure. */
export async function mapAtMost<Item, Result>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const workOn = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOn));
  return results;
}

type RenderedRow = ReplyOf<typeof transcriptFetcher.renderTranscripts>['rows'][number];

/** Concurrent renderings of one call. */
export const RENDERED_AT_ONCE = 8;

/** Lost transcripts are fetched again for `accountId`, if there is one. */
type RenderRequest = { readonly format: StoredFormat; readonly accountId: string | null };

/** Returns the files of transcripts in one format. Renders missing and lost files. */
export async function renderAll(
  deps: Deps,
  transcripts: readonly WantedTranscript[],
  { format, accountId }: RenderRequest,
): Promise<RenderedRow[]> {
  const wanted = new Map(transcripts.map((each) => [each.transcriptId, each]));
  const all = await findTranscripts(deps.sql, [...wanted.keys()], format);
  const existing = await deps.objects.existing(all.flatMap(({ file }) => file?.objectKey ?? []));
  const found = new Map(all.map((each) => [each.transcript.id, each]));
  return await mapAtMost(RENDERED_AT_ONCE, [...wanted.values()], async (each): Promise<RenderedRow> => {
    const { transcriptId } = each;
    const kept = found.get(transcriptId) ?? (await findAgain(deps, each, format));
    const file = kept && (await findFile(deps, kept, existing, format));
    if (file) return { transcriptId, state: 'rendered', ...file };
    if (accountId !== null) await restore(deps, each, { format, accountId });
    return { transcriptId, state: 'failed', code: 'cache_object_missing' };
  });
}

/** A restored database may lack the id: the transcript of the same language takes its place. */
const findAgain = async (
  { sql, now }: Deps,
  wanted: WantedTranscript,
  format: StoredFormat,
): Promise<Omit<Hit, 'choice'> | null> => {
  const known = await look(sql, { ...wanted, format }, now());
  return known.kind === 'hit' ? known.hit : null;
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
    return (await renderAndKeep(deps, { transcript, format, file })).file;
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
  const waits = await mayRestore(deps.sql, [transcriptId]);
  if ((waits.get(transcriptId) ?? null) !== null) return;
  const requestId = randomUUID();
  await restoreTranscript(deps, { accountId, keyId: null, language, fallback, format, videoId, requestId });
};

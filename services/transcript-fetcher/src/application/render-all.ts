import { randomUUID } from 'node:crypto';
import type { ReplyOf, TranscriptFormat, transcriptFetcher, WantedTranscript } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { KeptFile } from '../domain/transcript.ts';
import { findTranscripts, type KeptTranscript, look } from '../store/cache.ts';
import { mayRestore } from '../store/operations.ts';
import { isLost, restoreTranscript } from './read-transcript.ts';
import { renderAndKeep } from './track-files.ts';

/** Does the work for all items, for at most `atOnce` at a time; answers in their order. Fails with the first that fails. */
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

/** Files that are rendered at a time for one call. */
export const RENDERED_AT_ONCE = 8;

/** What is wanted of transcripts; what is lost is fetched again for the account, if one is named. */
type Wanted = { readonly format: TranscriptFormat; readonly accountId: string | null };

/** The files of these transcripts in one format; those that nobody has rendered, or the object store has lost, are rendered. */
export async function renderAll(
  deps: Deps,
  transcripts: readonly WantedTranscript[],
  { format, accountId }: Wanted,
): Promise<RenderedRow[]> {
  const wanted = new Map(transcripts.map((each) => [each.transcriptId, each]));
  const all = await findTranscripts(deps.sql, [...wanted.keys()], format);
  const existing = await deps.objects.existing(all.flatMap(({ file }) => file?.objectKey ?? []));
  const found = new Map(all.map((each) => [each.transcript.id, each]));
  return await mapAtMost(RENDERED_AT_ONCE, [...wanted.values()], async (each): Promise<RenderedRow> => {
    const { transcriptId } = each;
    const kept = found.get(transcriptId) ?? (await findAgain(deps, each, format));
    const file = kept && (await fileOf(deps, kept, existing, format));
    if (file) return { transcriptId, state: 'rendered', ...file };
    if (accountId !== null) await restore(deps, each, { format, accountId });
    return { transcriptId, state: 'failed', code: 'cache_object_missing' };
  });
}

/** A database that went back has lost its id: what the same language leads to takes its place. */
const findAgain = async (
  { sql, now }: Deps,
  wanted: WantedTranscript,
  format: TranscriptFormat,
): Promise<KeptTranscript | null> => {
  const known = await look(sql, { ...wanted, format }, now());
  return known.kind === 'hit' ? known.hit : null;
};

/** Null if its cues are lost, and its file with them. */
async function fileOf(
  deps: Deps,
  { transcript, file }: KeptTranscript,
  existing: ReadonlySet<string>,
  format: TranscriptFormat,
): Promise<KeptFile | null> {
  if (file && existing.has(file.objectKey)) return file;
  try {
    return (await renderAndKeep(deps, transcript, format)).file;
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  }
}

/** Begins to fetch it again, unless that has failed in the last minute; whoever asks for it later finds it. */
const restore = async (
  deps: Deps,
  { videoId, language, fallback, transcriptId }: WantedTranscript,
  { format, accountId }: { readonly format: TranscriptFormat; readonly accountId: string },
): Promise<void> => {
  const waits = await mayRestore(deps.sql, [transcriptId]);
  if ((waits.get(transcriptId) ?? null) !== null) return;
  const requestId = randomUUID();
  await restoreTranscript(deps, { accountId, keyId: null, language, fallback, format, videoId, requestId });
};

import { randomUUID } from 'node:crypto';
import type { ReplyOf, TranscriptFormat, transcriptFetcher } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { KeptFile } from '../domain/transcript.ts';
import { findRendered, type RenderedTranscript } from '../store/batch-rows.ts';
import { findRestorable } from '../store/restore-batch.ts';
import { mapAtMost } from './at-most.ts';
import { beginRestoring } from './begin-restoring.ts';
import { isLost } from './serve-cached.ts';
import { renderAndKeep } from './transcript-files.ts';

type RenderedRow = ReplyOf<typeof transcriptFetcher.renderTranscripts>['rows'][number];

/** Files that are rendered at a time for one batch. */
export const RENDERED_AT_ONCE = 8;

type Needed = Pick<Deps, 'db' | 'sql' | 'objects' | 'messaging' | 'now'>;

/** What is wanted of transcripts; what is lost is fetched again for the account, if one is named. */
type Wanted = { readonly format: TranscriptFormat; readonly accountId: string | null };

/** The files of these transcripts in one format; those that nobody has rendered, or the object store has lost, are rendered. */
export async function renderAll(
  deps: Needed,
  transcriptIds: readonly string[],
  wanted: Wanted,
): Promise<RenderedRow[]> {
  const { format } = wanted;
  const all = await findRendered(deps.sql, transcriptIds, format);
  const existing = await deps.objects.existing(all.flatMap(({ rendered }) => rendered?.objectKey ?? []));
  const found = new Map(all.map((each) => [each.transcript.id, each]));
  const lost: string[] = [];
  const rows = await mapAtMost(
    RENDERED_AT_ONCE,
    [...new Set(transcriptIds)],
    async (transcriptId): Promise<RenderedRow> => {
      const known = found.get(transcriptId);
      const file = known && (await fileOf(deps, known, existing, format));
      if (file) {
        const { objectKey, bytes, sha256, crc32 } = file;
        return { transcriptId, state: 'rendered', objectKey, bytes, sha256, crc32 };
      }
      if (known) lost.push(transcriptId);
      return { transcriptId, state: 'failed', code: 'cache_object_missing' };
    },
  );
  if (wanted.accountId !== null)
    await restoreTranscripts(deps, lost, { format, accountId: wanted.accountId });
  return rows;
}

/** Null if its cues are lost, and its file with them. */
async function fileOf(
  deps: Needed,
  { transcript, rendered }: RenderedTranscript,
  existing: ReadonlySet<string>,
  format: TranscriptFormat,
): Promise<KeptFile | null> {
  if (rendered && existing.has(rendered.objectKey)) return rendered;
  try {
    return (await renderAndKeep(deps, transcript, format)).file;
  } catch (error) {
    if (isLost(error)) return null;
    throw error;
  }
}

/** Begins to fetch them again; whoever asks for them later finds them. */
async function restoreTranscripts(
  deps: Needed,
  lost: readonly string[],
  { format, accountId }: Wanted & { readonly accountId: string },
): Promise<void> {
  if (lost.length === 0) return;
  const restorable = await findRestorable(deps.sql, lost, deps.now());
  for (const [language, tracks] of Map.groupBy(restorable, (track) => track.language)) {
    const rows = tracks.map(({ videoId, transcriptId }) => ({
      ...{ operationId: randomUUID(), videoId, transcriptId },
    }));
    await beginRestoring(deps, { accountId, keyId: null, language, fallback: true, format, rows });
  }
}

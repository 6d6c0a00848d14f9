import {
  type JobSummary as Job,
  type ManifestRow,
  type RequestOf,
  transcriptFetcher,
  type WantedTranscript,
} from '@tds/contracts';
import type { ReadAll } from '@tds/job-files';
import type { Deps } from '../deps.ts';
import type { CallContext } from './route-handler.ts';

/**
 * Has files that the object store has lost made again of their cues; where these are lost as well, they are fetched again, and there
 * for who comes later. False if nobody can make any now.
 */
export const renderLost = async (
  call: Deps['call'],
  wanted: RequestOf<typeof transcriptFetcher.renderTranscripts>,
  context: CallContext,
): Promise<boolean> => {
  try {
    const { rows } = await call(transcriptFetcher.renderTranscripts, wanted, context);
    return rows.some(({ state }) => state === 'rendered');
  } catch {
    // The files are lost now as they were before, and whoever reads them is told that.
    return false;
  }
};

type Stored = { readonly objectKey: string; readonly transcript: WantedTranscript };

/** What the row of a job was delivered for: null if it was not. */
export const wantedOf = (row: ManifestRow, { fallback }: Pick<Job, 'fallback'>): WantedTranscript | null =>
  row.transcript_id === null
    ? null
    : { transcriptId: row.transcript_id, videoId: row.video_id, language: row.requested_language, fallback };

/** Reads files of jobs; what is lost is made again before it is missed, unless that could not be done for those before it. */
export const mendingReader = (
  { call, objects }: Pick<Deps, 'call' | 'objects'>,
  format: RequestOf<typeof transcriptFetcher.renderTranscripts>['format'],
  files: readonly Stored[],
  context: CallContext,
): ReadAll => {
  const transcriptOf = new Map(files.map(({ objectKey, transcript }) => [objectKey, transcript]));
  let canRender = true;
  return async (keys) => {
    const found = await objects.getAll(keys);
    const lost = keys.filter((key) => !found.has(key));
    if (lost.length === 0 || !canRender) return found;
    const transcripts = lost.flatMap((key) => transcriptOf.get(key) ?? []);
    canRender = await renderLost(call, { format, transcripts }, context);
    return canRender ? new Map([...found, ...(await objects.getAll(lost))]) : found;
  };
};

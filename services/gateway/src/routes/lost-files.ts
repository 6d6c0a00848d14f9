import { type RequestOf, transcriptFetcher } from '@tds/contracts';
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

type Stored = { readonly objectKey: string; readonly transcriptId: string };

/** Reads files of jobs; what is lost is made again before it is missed, unless that could not be done for those before it. */
export const mendingReader = (
  { call, objects }: Pick<Deps, 'call' | 'objects'>,
  format: RequestOf<typeof transcriptFetcher.renderTranscripts>['format'],
  files: readonly Stored[],
  context: CallContext,
): ReadAll => {
  const transcriptOf = new Map(files.map(({ objectKey, transcriptId }) => [objectKey, transcriptId]));
  let canRender = true;
  return async (keys) => {
    const found = await objects.getAll(keys);
    const lost = keys.filter((key) => !found.has(key));
    if (lost.length === 0 || !canRender) return found;
    const transcriptIds = [...new Set(lost.flatMap((key) => transcriptOf.get(key) ?? []))];
    canRender = await renderLost(call, { format, transcriptIds }, context);
    return canRender ? new Map([...found, ...(await objects.getAll(lost))]) : found;
  };
};

import type { DeliveredTranscript } from '@tds/contracts';
import { toDeliveredTranscript } from '../domain/transcript.ts';
import type { ReadDeps } from '../reads/index.ts';
import { findTranscripts, renderAndStore } from '../tracks/index.ts';
import type { StoredLink } from './store/links.ts';

const format = 'json';

/** The file of a link's transcript, as the account has received it. Throws `cache_object_missing`; nothing is fetched for a stranger. */
export const openTranscript = async (deps: ReadDeps, found: StoredLink): Promise<DeliveredTranscript> => {
  const { link, transcriptId, isFallback, translation } = found;
  const [hit] = await findTranscripts(deps.sql, [transcriptId], format);
  if (!hit) throw new Error(`the transcript of link ${link.id} is gone`);
  const { transcript, file: stored } = hit;
  const isThere = stored !== null && (await deps.objects.stat(stored.objectKey));
  const file = isThere ? stored : (await renderAndStore(deps, { transcript, format, file: stored })).file;
  const selection = { videoId: link.video_id, language: link.requested, fallback: true, format } as const;
  return toDeliveredTranscript(selection, transcript, { isFallback, translation }, file);
};

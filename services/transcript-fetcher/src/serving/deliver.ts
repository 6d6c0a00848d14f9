import {
  type DeliveredTranscript,
  renderedTranscripts,
  type TranscriptSelection,
  type TranslationOutcome,
} from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { CachedTranscript } from '../domain/transcript.ts';
import type { CacheEntry } from '../store/cache.ts';
import { loadRendered, type RenderedBody, renderAndStore } from './rendered-files.ts';

export type Deliverable = {
  readonly transcript: CachedTranscript;
  readonly isFallback: boolean;
  readonly translation: TranslationOutcome;
};

/**
 * Hands a cached transcript over in the wanted format: renders it where nobody has, and leaves the file in the
 * projection, where the gateway reads it now and serves the next callers from.
 */
export async function deliver(
  deps: Deps,
  wanted: TranscriptSelection,
  { transcript, isFallback, translation }: Deliverable,
  known: CacheEntry,
): Promise<DeliveredTranscript> {
  const isSame = known.transcript?.id === transcript.id;
  const { file, body } = await fileOf(
    deps,
    wanted,
    transcript,
    isSame ? known : { ...known, rendered: null },
  );
  const head: DeliveredTranscript = {
    state: 'delivered',
    cache: 'HIT',
    creditsCharged: 0,
    video: known.video,
    language: {
      requested: wanted.language,
      delivered: transcript.languageCode,
      kind: transcript.kind,
      fallback: isFallback,
      translation,
    },
    format: wanted.format,
    fetchedAt: transcript.cachedAt.toISOString(),
    ...file,
  };
  // A refusal may end at any time, so it is answered from the table, where it expires.
  if (translation !== 'refused') {
    const { videoId, language, fallback, format } = wanted;
    const key: [string, string, string, string] = [videoId, language, String(fallback), format];
    await deps.kit.projections.writeBody(renderedTranscripts, key, head, body);
  }
  return head;
}

const fileOf = async (
  { db, kit: { objects } }: Deps,
  { format }: TranscriptSelection,
  transcript: CachedTranscript,
  { rendered, video }: CacheEntry,
): Promise<RenderedBody> =>
  (rendered && (await loadRendered(objects, rendered))) ??
  (await renderAndStore({ db, objects }, { transcript, video, format }));
